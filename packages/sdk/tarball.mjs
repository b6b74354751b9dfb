// Packs the sdk for whoever has no workspace: modules without an import from elsewhere, and their types likewise. Prints the tarball's path.
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { rolldown } from 'rolldown'

const here = import.meta.dirname
const [target = join(here, 'dist/package')] = process.argv.slice(2)
const MODULES = ['trestle', 'token-source', 'json-rpc', 'problem']
const zod = dirname(createRequire(import.meta.url).resolve('zod/package.json'))

rmSync(target, { recursive: true, force: true })
await bundle()
flattenTypes()
writePackage()
process.stdout.write(join(target, execFileSync('npm', ['pack', '--silent'], { cwd: target, encoding: 'utf8' })))

async function bundle() {
  const input = Object.fromEntries(MODULES.map((name) => [name, join(here, 'src', `${name}.ts`)]))
  const bundled = await rolldown({
    input,
    platform: 'neutral',
    resolve: { conditionNames: ['ws-source', 'import'], mainFields: ['module'] },
  })
  const { output } = await bundled.write({ dir: target, chunkFileNames: 'parts/[hash].js' })
  await bundled.close()
  const own = new Set(output.map(({ fileName }) => fileName))
  const foreign = output.flatMap(({ imports = [] }) => imports).filter((name) => !own.has(name))
  if (foreign.length > 0) throw new Error(`These were left outside: ${foreign.join(', ')}`)
}

/** The declarations of all packages in one tree, as far as one leads to the next. */
function flattenTypes() {
  const emitted = join(target, 'emitted')
  execFileSync(join(here, '../../node_modules/.bin/tsc'), ['-p', join(here, 'tsconfig.tarball.json'), '--outDir', emitted], {
    stdio: 'inherit',
  })
  const placeOf = (file) =>
    join(target, 'types', file.startsWith(zod) ? join('zod', relative(zod, file)) : relative(emitted, file).replace('/src/', '/'))
  const sourceOf = (specifier, from) => {
    const [, name, path] = /^@trestle\/(\w+)\/(.*)$/.exec(specifier) ?? []
    if (name) return join(emitted, name, 'src', `${path}.d.ts`)
    if (/^zod(\/|$)/.test(specifier)) return join(zod, specifier.slice('zod'.length), 'index.d.ts')
    if (!specifier.startsWith('.')) throw new Error(`${from} imports the types of ${specifier}.`)
    return resolve(dirname(from), specifier.replace(/\.js$/, '.d.ts'))
  }
  const seen = new Set()
  const waiting = MODULES.map((name) => join(emitted, 'sdk/src', `${name}.d.ts`))
  for (let file = waiting.pop(); file; file = waiting.pop()) {
    if (seen.has(file)) continue
    seen.add(file)
    const place = placeOf(file)
    const text = readFileSync(file, 'utf8').replace(/(\bfrom |\bimport\()(["'])([^"']+)\2/g, (_, before, quote, specifier) => {
      const source = sourceOf(specifier, file)
      waiting.push(source)
      const path = relative(dirname(place), placeOf(source)).replace(/\.d\.ts$/, '.js')
      return `${before}${quote}${path.startsWith('.') ? path : `./${path}`}${quote}`
    })
    mkdirSync(dirname(place), { recursive: true })
    writeFileSync(place, text)
  }
  rmSync(emitted, { recursive: true })
}

function writePackage() {
  const { name, version, description, license, engines } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'))
  const exported = MODULES.map((each) => [`./${each}`, { types: `./types/sdk/${each}.d.ts`, default: `./${each}.js` }])
  const manifest = {
    name,
    version,
    description,
    license,
    type: 'module',
    sideEffects: false,
    engines,
    exports: Object.fromEntries(exported),
  }
  writeFileSync(join(target, 'package.json'), JSON.stringify(manifest, null, 2))
  copyFileSync(join(here, '../../docs/sdk.md'), join(target, 'README.md'))
  copyFileSync(join(zod, 'LICENSE'), join(target, 'LICENSE-zod'))
}
