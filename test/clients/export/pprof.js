// pprof.js FILE: a profile as JSON, as pprof-format reads it: stacks by name, outermost first.
const fs = require('fs')
const zlib = require('zlib')
const { Profile } = require('pprof-format')
const p = Profile.decode(zlib.gunzipSync(fs.readFileSync(process.argv[2])))
const text = (i) => p.stringTable.strings[Number(i)]
const functions = new Map(p.function.map((f) => [f.id, text(f.name)]))
const locations = new Map(p.location.map((l) => [l.id, functions.get(l.line[0].functionId)]))
console.log(
  JSON.stringify({
    default: text(p.defaultSampleType),
    types: p.sampleType.map((t) => text(t.type)),
    samples: p.sample.map((s) => ({
      stack: s.locationId.map((id) => locations.get(id)).reverse(),
      values: s.value.map(Number),
    })),
  })
)
