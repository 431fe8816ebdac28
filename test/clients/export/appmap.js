// appmap.js FILE...: validates AppMaps; prints the calls of each, as AppMap's own model has them, as a line of JSON.
const fs = require('fs')
const { validate } = require('@appland/appmap-validate')
const { buildAppMap } = require('@appland/models')
const { buildDiagram, Specification } = require('@appland/sequence-diagram')
const values = (list) => (list || []).map((p) => [p.class, p.value])
for (const file of process.argv.slice(2)) {
  const text = fs.readFileSync(file, 'utf8')
  validate(JSON.parse(text))
  const map = buildAppMap(text).normalize().build()
  const calls = map.events.filter((e) => e.isCall())
  const diagram = buildDiagram(file, map, Specification.build(map, { loops: false }))
  const count = (actions) => actions.reduce((n, a) => n + 1 + count(a.children || []), 0)
  console.log(
    JSON.stringify({
      name: map.metadata.name,
      messages: count(diagram.rootActions),
      calls: calls.map((e) => ({
        thread: e.threadId,
        function: e.codeObject.fqid,
        caller: e.parent ? e.parent.codeObject.fqid : null,
        receiver: e.receiver ? e.receiver.object_id : null,
        parameters: values(e.parameters),
        result: e.returnValue ? values([e.returnValue])[0] : null,
        exception: (e.exceptions || []).map((x) => [x.class, x.message, x.object_id])[0] || null,
      })),
    })
  )
}
