// mermaid.mjs FILE...: each diagram as a line of JSON, as mermaid's own parser reads it.
import fs from 'fs'
import path from 'path'
import { createRequire } from 'module'
import { pathToFileURL } from 'url'
const modules = createRequire(path.join(process.env.NODE_PATH, 'x.js'))
globalThis.window = new (modules('jsdom').JSDOM)('').window
globalThis.document = window.document
const file = path.join(process.env.NODE_PATH, 'mermaid/dist/mermaid.core.mjs')
const mermaid = (await import(pathToFileURL(file))).default
mermaid.initialize({ maxEdges: 10000, maxTextSize: 10000000 })

// mermaid hides entities from its parsers, and shows them again when it draws
const shown = (s) => s.replace(/ﬂ°°(\d+)¶ß/g, (_, n) => String.fromCharCode(n)).replace(/ﬂ°(\w+)¶ß/g, '&$1;')
const LOOP = 10
const END = 11
for (const name of process.argv.slice(2)) {
  const text = fs.readFileSync(name, 'utf8')
  const { diagramType } = await mermaid.parse(text)
  const db = (await mermaid.mermaidAPI.getDiagramFromText(text)).db
  if (diagramType === 'sequence') {
    const actors = Object.fromEntries([...db.getActors()].map(([k, a]) => [k, shown(a.description)]))
    const steps = db.getMessages().map((m) => {
      if (m.type === LOOP) return ['loop', parseInt(m.message, 10)]
      if (m.type === END) return ['end']
      if (m.type === 0) return ['call', actors[m.from], actors[m.to], shown(m.message)]
      if (m.type === 1) return ['answer', actors[m.from], actors[m.to], shown(m.message)]
      return [m.type === 2 ? 'note' : 'other', shown(String(m.message || ''))]
    })
    console.log(JSON.stringify({ actors: Object.values(actors), steps }))
  } else {
    const nodes = Object.fromEntries([...db.getVertices()].map(([k, v]) => [k, shown(v.text).split(/<br\/?>/)]))
    const edges = db.getEdges().map((e) => [e.start, shown(e.text), e.end])
    console.log(JSON.stringify({ nodes, edges }))
  }
}
