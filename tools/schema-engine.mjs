#!/usr/bin/env node
/*
 * Prisma's schema engine where the native one cannot be downloaded: the same arguments and the same JSON-RPC over stdin and stdout,
 * answered by the WASM build that npm carries. `prisma.config.ts` names it in PRISMA_SCHEMA_ENGINE_BINARY.
 * The interface is internal to Prisma: move the versions of prisma, adapter-pg and schema-engine-wasm together.
 */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

// The packages it needs are those of packages/database.
const require = createRequire(new URL('../packages/database/package.json', import.meta.url))
const pg = require('pg')
const { PrismaPg } = require('@prisma/adapter-pg')
const { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } = require('@prisma/driver-adapter-utils')
const engineFolder = dirname(require.resolve('@prisma/schema-engine-wasm'))

const args = process.argv.slice(2)
const url = JSON.parse(argument('--datasource') ?? '{}').url

if (args.includes('--version')) printVersion()
else if (args.includes('cli')) await runCommand(argument('cli'))
else serve()

function argument(name) {
  const at = args.indexOf(name)
  return at < 0 ? undefined : args[at + 1]
}

function printVersion() {
  const { version } = JSON.parse(readFileSync(join(engineFolder, 'package.json'), 'utf8'))
  console.log(`schema-engine-wasm ${version}`)
}

// ---- `cli <command>`: what Prisma asks before there is a database to talk to

async function runCommand(command) {
  const commands = {
    'can-connect-to-database': () => run(url, 'SELECT 1'),
    'create-database': createDatabase,
    'drop-database': dropDatabase,
  }
  try {
    await commands[command]()
  } catch (error) {
    reportFailure(error)
  }
}

async function createDatabase() {
  const databaseName = databaseOf(url)
  await run(inDatabase('postgres'), `CREATE DATABASE ${pg.escapeIdentifier(databaseName)}`)
  return { databaseName }
}

function dropDatabase() {
  return run(inDatabase('postgres'), `DROP DATABASE IF EXISTS ${pg.escapeIdentifier(databaseOf(url))} WITH (FORCE)`)
}

/** Prisma reads the last line of the log for its own error code. */
function reportFailure(error) {
  const { hostname, port } = new URL(url)
  const codes = { '3D000': 'P1003', '42P04': 'P1009' }
  const meta = { database_name: databaseOf(url), database_host: hostname, database_port: port }
  const fields = { message: String(error.message), is_panic: false, error_code: codes[error.code] ?? 'P1001', meta }
  process.stderr.write(`\n${JSON.stringify({ timestamp: new Date(), level: 'ERROR', fields, target: 'schema_engine::logger' })}`)
  process.exitCode = 1
}

// ---- JSON-RPC: one request a line, answered in order

function serve() {
  let earlier = Promise.resolve()
  const lines = createInterface({ input: process.stdin })
  lines.on('line', (line) => {
    earlier = earlier.then(() => answer(JSON.parse(line)))
  })
  lines.on('close', () => earlier.then(() => process.exit()))
}

async function answer({ id, method, params }) {
  // Prisma's own answers to our `print` come back here.
  if (method === undefined) return
  try {
    const result = method === 'createDatabase' ? await createDatabase() : await callEngine(method, params)
    if (method === 'diff' && result.stdout) send({ id: randomUUID(), method: 'print', params: { content: result.stdout } })
    send({ id, result })
  } catch (error) {
    const data = { is_panic: false, message: error?.message ?? String(error), error_code: error?.code, meta: error?.meta }
    send({ id, error: { code: 4466, message: 'An error happened. Check the data field for details.', data } })
  }
}

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}

let engine

async function callEngine(method, params) {
  engine ??= await startEngine()
  return (await engine[method === 'getDatabaseVersion' ? 'version' : method](params)) ?? {}
}

async function startEngine() {
  const glue = await import(pathToFileURL(join(engineFolder, 'schema_engine_bg.js')).href)
  const wasm = new WebAssembly.Module(readFileSync(join(engineFolder, 'schema_engine_bg.wasm')))
  const { exports } = new WebAssembly.Instance(wasm, { './schema_engine_bg.js': glue })
  // Where it leaves its last words.
  globalThis.PRISMA_WASM_PANIC_REGISTRY = { set_message: (message) => process.stderr.write(message) }
  glue.__wbg_set_wasm(exports)
  exports.__wbindgen_start()
  return glue.SchemaEngine.new({}, () => {}, bindMigrationAwareSqlAdapterFactory(adapters()))
}

// ---- adapter-pg, with what the engine needs beyond queries set right

/** What `new PrismaPg(...)` is to the engine. */
function adapters() {
  return {
    provider: 'postgres',
    adapterName: '@prisma/adapter-pg',
    connect: () => connect(url),
    // adapter-pg itself drops the shadow database while its pool is still in it.
    async connectToShadowDb() {
      const name = `prisma_migrate_shadow_db_${randomUUID()}`
      await run(url, `CREATE DATABASE "${name}"`)
      const adapter = await connect(inDatabase(name))
      const dispose = async () => {
        await adapter.underlyingDriver().end()
        await run(url, `DROP DATABASE "${name}" WITH (FORCE)`)
      }
      return Object.assign(adapter, { dispose })
    },
  }
}

async function connect(connectionString) {
  const schema = new URL(connectionString).searchParams.get('schema') ?? undefined
  const options = schema && `-c search_path="${schema}"`
  const adapter = await new PrismaPg({ connectionString, options, max: 1 }, { schema }).connect()
  const pool = adapter.underlyingDriver()
  if (schema) await ensureSchema(pool, schema)
  // adapter-pg splits a script at every semicolon, also within the body of a function: send it whole.
  async function executeScript(script) {
    await pool.query(script).catch((error) => adapter.onError(error))
  }
  return Object.assign(adapter, { executeScript, queryRaw })
}

// CREATE SCHEMA IF NOT EXISTS would want the right to create schemas even where the schema exists.
async function ensureSchema(pool, schema) {
  const { rowCount } = await pool.query('SELECT FROM pg_namespace WHERE nspname = $1', [schema])
  if (rowCount === 0) await pool.query(`CREATE SCHEMA ${pg.escapeIdentifier(schema)}`)
}

// adapter-pg refuses the catalogue's type "char" (18). It reads such a column as text (25); the engine wants a character.
async function queryRaw(query) {
  const result = await this.performIO(query)
  const characters = result.fields.map(({ dataTypeID }) => dataTypeID === 18)
  for (const field of result.fields) if (field.dataTypeID === 18) field.dataTypeID = 25
  const set = await Object.getPrototypeOf(this).queryRaw.call({ performIO: () => result }, query)
  return { ...set, columnTypes: set.columnTypes.map((type, at) => (characters[at] ? ColumnTypeEnum.Character : type)) }
}

// ---- connections

function databaseOf(connectionString) {
  return decodeURIComponent(new URL(connectionString).pathname.slice(1))
}

function inDatabase(name) {
  return Object.assign(new URL(url), { pathname: encodeURIComponent(name) }).href
}

async function run(connectionString, sql) {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
