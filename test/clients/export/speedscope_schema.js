// speedscope_schema.js FILE...: are the files as speedscope's own schema says?
const fs = require('fs')
const path = require('path')
const Ajv = require('ajv')
const root = path.join(process.env.NODE_PATH, 'speedscope/dist/release/file-format-schema.json')
const schema = JSON.parse(fs.readFileSync(root, 'utf8'))
const validate = new Ajv({ strict: false, allErrors: true }).compile(schema)
for (const file of process.argv.slice(2)) {
  if (!validate(JSON.parse(fs.readFileSync(file, 'utf8')))) {
    console.log(`FAILED: ${file}: ${JSON.stringify(validate.errors.slice(0, 3))}`)
    process.exitCode = 1
  }
}
