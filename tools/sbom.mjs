// npm run sbom: writes .data/sbom/<app>.cdx.json, a CycloneDX bill of materials of what each app ships for Debian, and checks all licences.
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { billOfMaterials, refusedLicenses, shippedPackages } from '../packages/tooling/src/sbom/bill-of-materials.js'
import { root } from './progress.mjs'

const { parse } = createRequire(join(root, 'deploy/package.json'))('yaml')
const lockfile = parse(readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8'))
const platform = { os: 'linux', cpu: process.arch }
const licenses = readLicenses()
const licenseOf = (name, version) => licenses.get(`${name}@${version}`)
const folder = join(root, '.data/sbom')
mkdirSync(folder, { recursive: true })

const refused = new Set()
for (const app of globSync('*', { cwd: join(root, 'apps') }).sort()) {
  const packages = shippedPackages(lockfile, `apps/${app}`, { bundled: bundled(app), platform })
  const bill = billOfMaterials({ app, packages, licenseOf, time: new Date(), serialNumber: randomUUID() })
  writeFileSync(join(folder, `${app}.cdx.json`), `${JSON.stringify(bill, null, 2)}\n`)
  for (const each of refusedLicenses(packages, licenseOf)) refused.add(each)
  console.log(`.data/sbom/${app}.cdx.json  ${bill.components.length} components`)
}
if (refused.size > 0) {
  console.error(`\nThe apps may ship software under MIT, Apache, ISC and BSD licences, and those that ask for less; not this:`)
  for (const each of refused) console.error(`  ${each}`)
  process.exitCode = 1
}

function readLicenses() {
  const pnpm = ['licenses', 'list', '--json']
  const list = JSON.parse(execFileSync('pnpm', pnpm, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 }))
  const entries = Object.entries(list).flatMap(([license, packages]) =>
    packages.flatMap(({ name, versions }) => versions.map((version) => [`${name}@${version}`, license.replaceAll(' and ', ' AND ')])),
  )
  // Its manifest states none; its Readme has the text of the MIT licence.
  return new Map([...entries, ['pause@0.0.1', 'MIT']])
}

/** The development dependencies that the source of an app imports: the page of the console and the command line are bundles. */
function bundled(app) {
  const manifest = JSON.parse(readFileSync(join(root, 'apps', app, 'package.json'), 'utf8'))
  const sources = globSync('{src,web}/**/*.{ts,tsx,css}', { cwd: join(root, 'apps', app), exclude: ['**/*.spec.*', '**/vite.config.ts'] })
  const text = sources.map((path) => readFileSync(join(root, 'apps', app, path), 'utf8')).join('\n')
  return Object.keys(manifest.devDependencies ?? {}).filter((name) => text.includes(`'${name}'`) || text.includes(`'${name}/`))
}
