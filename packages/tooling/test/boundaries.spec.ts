import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

// A small workspace in the shape of ours, checked by the real configuration files.
const root = join(import.meta.dirname, '../../..')
const app = 'apps/one/src'

const clean = {
  [`${app}/env.ts`]: 'export const env = process.env.NAME\n',
  [`${app}/database.module.ts`]: "import { client } from './generated/prisma/client.js'\nexport const database = client\n",
  [`${app}/generated/prisma/client.ts`]: 'export const client = {}\n',
  [`${app}/things/thing.ts`]: "import { x } from '@trestle/contracts/thing'\nexport const thing = x\n",
  [`${app}/things/chicken.ts`]: 'export const chicken = 1\n',
  [`${app}/things/egg.ts`]: "import { chicken } from './chicken.js'\nexport const egg = chicken\n",
  [`${app}/things/things.repository.ts`]: "import { client } from '../generated/prisma/client.js'\nexport const things = client\n",
  [`${app}/things/things.service.ts`]: "import { things } from './things.repository.js'\nexport const service = things\n",
  [`${app}/things/things.controller.ts`]: "import { service } from './things.service.js'\nexport const controller = service\n",
  [`${app}/others/others.service.ts`]: "import { service } from '../things/things.service.js'\nexport const others = service\n",
  [`${app}/things/things.int.spec.ts`]: "import { t } from '@trestle/testing/thing'\nexport const testing = t\n",
  'apps/one/web/picture.ts': 'export const picture = 1\n',
  'apps/one/web/main.tsx': "import { picture } from './picture.js'\nexport const main = picture\n",
  'apps/two/src/two.ts': 'export const two = 2\n',
  'packages/contracts/src/thing.ts': 'export const x = 1\n',
  'packages/runtime/src/thing.ts': "import { x } from '@trestle/contracts/thing'\nexport const r = x\n",
  'packages/testing/src/thing.ts': 'export const t = 1\n',
  'e2e/test/story.spec.ts': "import { x } from '@trestle/contracts/thing'\nexport const story = x\n",
}

const planted: [rule: string, file: string, imported: string][] = [
  ['no-circular', `${app}/things/chicken.ts`, './egg.js'],
  ['app-to-app', `${app}/neighbour.ts`, '../../two/src/two.js'],
  ['package-to-app', 'packages/runtime/src/upward.ts', '../../../apps/two/src/two.js'],
  ['package-to-app', 'e2e/test/inside.spec.ts', '../../apps/two/src/two.js'],
  ['pure-packages', 'packages/contracts/src/framework.ts', '@nestjs/common'],
  ['pure-packages', 'packages/contracts/src/kit.ts', '@trestle/runtime/thing'],
  ['dev-packages-in-tests-only', `${app}/shipped.ts`, '@trestle/testing/thing'],
  ['domain-is-pure', `${app}/things/framework.ts`, '@nestjs/common'],
  ['domain-is-pure', `${app}/things/asking.ts`, './things.service.js'],
  ['page-apart', 'apps/one/web/page.tsx', '../src/things/thing.js'],
  ['page-apart', 'apps/one/web/kit.ts', '@trestle/runtime/thing'],
  ['server-apart', `${app}/things/page.ts`, '../../web/picture.js'],
  ['edge-to-repository', `${app}/things/direct.controller.ts`, './things.repository.js'],
  ['edge-to-repository', `${app}/things/direct.consumer.ts`, '../generated/prisma/client.js'],
  ['inward-only', `${app}/things/outward.service.ts`, './things.controller.js'],
  ['prisma-in-repository-only', `${app}/things/tables.service.ts`, '../generated/prisma/client.js'],
  ['foreign-repository', `${app}/others/borrowing.service.ts`, '../things/things.repository.js'],
]

const packages: [name: string, tag: string][] = [
  ['apps/one', 'app'],
  ['apps/two', 'app'],
  ['packages/runtime', 'kit'],
  ['packages/contracts', 'contract'],
  ['packages/problem', 'pure'],
  ['packages/testing', 'dev'],
]

let tree: string
beforeEach(() => {
  tree = mkdtempSync(join(tmpdir(), 'boundaries-'))
  for (const [file, text] of Object.entries(clean)) write(file, text)
  for (const file of ['biome.json', 'turbo.json', '.gitignore', 'pnpm-workspace.yaml', 'package.json'])
    copyFileSync(join(root, file), join(tree, file))
  for (const [folder, tag] of packages) {
    dependOn(folder, [])
    write(`${folder}/turbo.json`, { extends: ['//'], tags: [tag] })
    mkdirSync(join(tree, 'node_modules/@trestle'), { recursive: true })
    symlinkSync(join(tree, folder), join(tree, 'node_modules/@trestle', basename(folder)))
  }
  write('node_modules/@nestjs/common/package.json', { name: '@nestjs/common', version: '1.0.0', main: 'index.js' })
  write('node_modules/@nestjs/common/index.js', 'module.exports = {}\n')
})
afterEach(() => rmSync(tree, { recursive: true }))

describe('dependency-cruiser', () => {
  it('accepts a tree that keeps the rules', () => {
    expect(cruise()).toEqual([])
  })

  it('catches a violation of each rule', () => {
    for (const [, file, imported] of planted) write(file, `import '${imported}'\n`)
    const found = cruise()
    for (const [rule, from] of planted) expect(found).toContainEqual({ rule, from })
    expect(new Set(planted.map(([rule]) => rule))).toEqual(new Set(rules()))
  })
})

describe('turbo boundaries', () => {
  it('accepts packages that keep to their tags', () => {
    dependOn('apps/one', ['runtime', 'contracts', 'testing'])
    dependOn('packages/runtime', ['contracts', 'testing'])
    dependOn('packages/contracts', ['problem', 'testing'])
    expect(boundaries()).toContain('no issues found')
  })

  it.each([
    ['apps/one', 'two'],
    ['packages/runtime', 'two'],
    ['packages/contracts', 'runtime'],
    ['packages/problem', 'contracts'],
  ])('catches that %s depends on %s', (folder, dependency) => {
    dependOn(folder, [dependency])
    const complaint = `Package \`@trestle/${dependency}\` found without any tag listed in allowlist for \`@trestle/${basename(folder)}\``
    expect(boundaries()).toContain(complaint)
  })

  it('catches an import that leaves its package', () => {
    write('apps/two/src/leaving.ts', "import '../../../packages/runtime/src/thing.js'\n")
    expect(boundaries()).toContain('leaves the package')
  })
})

describe('Biome', () => {
  it('catches process.env outside env.ts', () => {
    write(`${app}/settings.ts`, 'export const setting = process.env.SETTING\n')
    const { stdout } = run(join(root, 'node_modules/@biomejs/biome/bin/biome'), ['lint', '--reporter=github', app])
    const complaints = stdout.split('\n').filter((line) => line.includes('noProcessEnv'))
    expect(complaints).toEqual([expect.stringContaining(`${app}/settings.ts`)])
  })
})

function cruise(): { rule: string; from: string }[] {
  const cruiser = join(import.meta.dirname, '../node_modules/dependency-cruiser/bin/dependency-cruiser.mjs')
  const { stdout } = run(cruiser, ['--config', join(root, '.dependency-cruiser.cjs'), '--output-type', 'json', 'apps', 'packages', 'e2e'])
  const { summary } = JSON.parse(stdout) as { summary: { violations: { rule: { name: string }; from: string }[] } }
  return summary.violations.map(({ rule, from }) => ({ rule: rule.name, from }))
}

function rules(): string[] {
  const { forbidden } = createRequire(import.meta.url)(join(root, '.dependency-cruiser.cjs'))
  return forbidden.map(({ name }: { name: string }) => name)
}

/** What turbo says, without the frame it draws around it. */
function boundaries(): string {
  const { stdout, stderr } = run(join(root, 'node_modules/turbo/bin/turbo'), ['boundaries', '--skip-infer', '--no-color'])
  return (stdout + stderr).replace(/\s+\|?\s*/g, ' ')
}

function run(program: string, args: string[]) {
  return spawnSync(process.execPath, [program, ...args], { cwd: tree, encoding: 'utf8' })
}

function dependOn(folder: string, dependencies: string[]) {
  write(`${folder}/package.json`, {
    name: `@trestle/${basename(folder)}`,
    exports: { './*': { 'ws-source': './src/*.ts' } },
    dependencies: Object.fromEntries(dependencies.map((name) => [`@trestle/${name}`, 'workspace:*'])),
  })
}

function write(file: string, content: string | object) {
  const path = join(tree, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
}
