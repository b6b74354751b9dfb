import { isTest, resolveImport } from './repository.js'

/** What every app has by convention, and what Nest asks for by that name: these may be defined once an app. */
export const CONVENTIONAL = {
  AppModule: 'the root module of a Nest application',
  readEnv: 'the one reader of the environment, in env.ts',
  databaseModule: 'the database of a service, bound to its generated client',
  ENV: 'the token that injects what env.ts has read',
  SettingsModule: 'the module that provides it',
}

/** Exported names that more than one file defines, with those files. */
export function homonyms(files) {
  const places = new Map()
  for (const { path, exports } of files.values())
    for (const name of new Set(exports)) if (!(name in CONVENTIONAL)) places.set(name, [...(places.get(name) ?? []), path])
  return new Map([...places].filter(([, paths]) => paths.length > 1).sort(([a], [b]) => (a < b ? -1 : 1)))
}

// The build of the console's page loads it by its path.
const ENTRY_POINTS = new Set(['apps/console/web/prerendered.tsx'])

/** Exports that no other file imports, as `path name`. */
export function needlessExports(files) {
  const used = new Map()
  for (const { path, imports } of files.values()) {
    for (const { from, name } of imports) {
      const target = resolveImport(files, path, from)
      if (target && target !== path) used.set(target, (used.get(target) ?? new Set()).add(name))
    }
  }
  const isUsed = (path, name) => ENTRY_POINTS.has(path) || used.get(path)?.has(name) || used.get(path)?.has('*')
  return [...files.values()].flatMap(({ path, exports }) => exports.filter((name) => !isUsed(path, name)).map((name) => `${path} ${name}`))
}

const ROLES = 'controller|consumer|job|service|repository|client|module|guard|strategy|filter|decorator|engine'
const ROLE = new RegExp(`\\.(${ROLES})\\.tsx?$`)
const PURE_PACKAGE = /^packages\/(contracts|problem|ethereum|bitcoin)\/src\//
const FEATURE = /^apps\/(accounts|staking|nodes|btc-connect|eth-rpc)\/src\/.+\//
const IMPURE_MODULE =
  /^node:(tls|http|https|http2|dgram|dns|fs|child_process|worker_threads|cluster|timers|perf_hooks|process|os)(\/|$)|^(pg|undici|ws|fastify)$|^@(nestjs|prisma|nats-io)\//

// Of node:net, what computes with addresses.
const PURE_NET = new Set(['BlockList', 'isIP', 'isIPv4', 'isIPv6'])

function isImpure({ from, name, isType }) {
  return !isType && (IMPURE_MODULE.test(from) || (from === 'node:net' && !PURE_NET.has(name)))
}

/** Where a file that must only decide does something else, as `path:line what`. */
export function impurities(files) {
  return [...files.values()]
    .filter(({ path }) => isPure(path))
    .flatMap(({ path, impure, imports }) => [
      ...impure.map(({ line, what }) => `${path}:${line} ${what}`),
      ...imports.filter(isImpure).map(({ from }) => `${path} imports ${from}`),
    ])
}

function isPure(path) {
  return !isTest(path) && !ROLE.test(path) && (PURE_PACKAGE.test(path) || FEATURE.test(path))
}

// An engine is named for what it is, and database.module.ts exports the generated client.
const FREELY_NAMED = /\.(engine|decorator)\.tsx?$|\/database\.module\.ts$/

/** Classes whose name is not that of their file, as `path Class`. */
export function misnamedClasses(files) {
  return [...files.values()].flatMap(({ path, classes }) => {
    const [, role] = ROLE.exec(path) ?? []
    if (!role || isTest(path) || FREELY_NAMED.test(path)) return []
    const expected = pascalCase(path.slice(path.lastIndexOf('/') + 1).replace(/\.tsx?$/, ''))
    const exported = classes.filter((name) => name.endsWith(pascalCase(role)))
    return exported.some((name) => name.toLowerCase() === expected.toLowerCase()) || (exported.length === 0 && classes.length === 0)
      ? []
      : [`${path} ${classes.join(', ')}: expected ${expected}`]
  })
}

function pascalCase(name) {
  return name
    .split(/[-.]/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')
}

/** The table: sizes, shapes and counts of the code that ships; test lines a line of it by app and package. */
export function summary(files) {
  const source = [...files.values()].filter(({ path }) => !isTest(path))
  const functions = source.flatMap(({ path, functions }) => functions.map((each) => ({ path, ...each })))
  const lines = source.flatMap(({ text }) => text.split('\n')).filter((line) => line.trim() !== '')
  const total = sum(source.map((file) => file.lines))
  const perThousand = (count) => ((1000 * count) / total).toFixed(1)
  return {
    'source files': source.length,
    'source lines': total,
    'file lines p50/p95/max': spread(source.map((file) => file.lines)),
    'function lines p50/p95/max': spread(functions.map((each) => each.lines)),
    'functions over 50 lines': functions.filter((each) => each.lines > 50).map(({ path, line }) => `${path}:${line}`),
    'parameters max': max(functions.map((each) => (each.isConstructor ? 0 : each.params))),
    'constructor parameters max': max(functions.map((each) => (each.isConstructor ? each.params : 0))),
    '`any`': sum(source.map((file) => file.anys)),
    '`as` per 1,000 lines': perThousand(sum(source.map((file) => file.casts))),
    '`as never`, `as unknown`': sum(source.map((file) => file.blindCasts)),
    '`!`': sum(source.map((file) => file.bangs)),
    'functions that only forward': `${((100 * functions.filter((each) => each.onlyForwards).length) / functions.length).toFixed(1)} %`,
    'exported names in more than one file': homonyms(files).size,
    'exported names in three or more': [...homonyms(files).values()].filter((paths) => paths.length > 2).length,
    'needless exports': needlessExports(files).length,
    'impure lines in pure files': impurities(files).length,
    'characters a line': Math.round(sum(lines.map((line) => line.trim().length)) / lines.length),
    'lines over 120': `${((100 * lines.filter((line) => line.length > 120).length) / lines.length).toFixed(1)} %`,
    'files that name `ltc`': source.filter(({ text }) => /\bltc\b/.test(text)).map(({ path }) => path),
    'test lines a line': testRatios(files),
  }
}

function testRatios(files) {
  const totals = new Map()
  for (const { path, lines } of files.values()) {
    const [top, name] = path.split('/')
    const unit = top === 'apps' || top === 'packages' ? `${top}/${name}` : top
    const { source = 0, test = 0 } = totals.get(unit) ?? {}
    totals.set(unit, isTest(path) ? { source, test: test + lines } : { source: source + lines, test })
  }
  return [...totals].filter(([, { source }]) => source > 0).map(([unit, { source, test }]) => `${unit} ${(test / source).toFixed(2)}`)
}

function spread(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b)
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]
  return `${at(0.5)}/${at(0.95)}/${at(1)}`
}

function sum(numbers) {
  return numbers.reduce((total, each) => total + each, 0)
}

function max(numbers) {
  return numbers.reduce((most, each) => Math.max(most, each), 0)
}
