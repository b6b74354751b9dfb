import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { migrate } from '../src/migrate.js'
import { provision } from '../src/provision.js'
import { query, startServer, type TestServer } from './server.js'

const PRISMA = fileURLToPath(new URL('../../../prisma/', import.meta.url))
const CLI = fileURLToPath(new URL('../node_modules/.bin/prisma', import.meta.url))
const ENGINE = fileURLToPath(new URL('../../../tools/schema-engine.mjs', import.meta.url))
const services = readdirSync(PRISMA).filter((name) => existsSync(`${PRISMA}${name}/schema.prisma`))

interface Difference {
  readonly code: number
  readonly script: string
}

describe('schema.prisma', () => {
  let server: TestServer

  beforeAll(async () => {
    server = await startServer()
  })

  afterAll(() => server.stop())

  it.each(services)('of %s describes what its migrations make', async (service) => {
    const { url } = await migrated(service)
    expect(await compareByEngine(service, url)).toEqual({ code: 0, script: expect.stringContaining('empty migration') })
  })

  it.each([
    ['the command', compareByCommand],
    ['its engine', compareByEngine],
  ])('is known to %s to differ if a column, a default or a partial index does', async (_, compare) => {
    const { url, schema } = await migrated('accounts')
    await query(url, `ALTER TABLE ${schema}.event ADD COLUMN extra int`)
    await query(url, `ALTER TABLE ${schema}."user" ALTER COLUMN epoch DROP DEFAULT`)
    await query(url, `DROP INDEX ${schema}.mail_due`)
    const { code, script } = await compare('accounts', url)
    expect(code).toBe(2)
    expect(script).toContain('ALTER TABLE "event" DROP COLUMN "extra"')
    expect(script).toContain('ALTER TABLE "user" ALTER COLUMN "epoch" SET DEFAULT 0')
    expect(script).toContain('CREATE INDEX "mail_due"')
  })

  /** A fresh database with the service's schema, made by our own runner. */
  async function migrated(service: string) {
    const { default: config } = await import(`${PRISMA}${service}/prisma.config.ts`)
    const schema = new URL(config.datasource.url).searchParams.get('schema') ?? service
    const url = server.urlOf(`trestle_${schema}`, `drift_${++databases}`)
    await provision({ adminUrl: server.adminUrl, url, schema })
    await migrate({ url, schema, folder: `${PRISMA}${service}/migrations` })
    return { url: `${url}?schema=${schema}`, schema }
  }

  let databases = 0

  /** What Prisma would change in the database: SQL, and code 2 where there is something. */
  async function compareByCommand(service: string, url: string): Promise<Difference> {
    const config = `${PRISMA}${service}/prisma.config.ts`
    const args = [
      'migrate',
      'diff',
      '--from-config-datasource',
      '--to-schema',
      `${PRISMA}${service}/schema.prisma`,
      '--script',
      '--exit-code',
    ]
    const variable = `${new URL(url).searchParams.get('schema')?.toUpperCase()}_DATABASE_URL`
    const env = { ...process.env, [variable]: url, CHECKPOINT_DISABLE: '1' }
    return promisify(execFile)(CLI, [...args, '--config', config], { env }).then(
      ({ stdout }) => ({ code: 0, script: stdout }),
      ({ code, stdout }) => ({ code, script: stdout }),
    )
  }

  /** What the command asks the engine, without the command: half of the time goes into loading it. */
  async function compareByEngine(service: string, url: string): Promise<Difference> {
    const { default: config } = await import(`${PRISMA}${service}/prisma.config.ts`)
    const path = `${PRISMA}${service}/schema.prisma`
    const files = [{ path, content: readFileSync(path, 'utf8') }]
    const params = {
      from: { tag: 'schemaDatasource', files, configDir: `${PRISMA}${service}` },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: true,
      filters: { externalTables: config.tables?.external ?? [], externalEnums: [] },
    }
    const running = promisify(execFile)(process.execPath, [ENGINE, '--datasource', JSON.stringify({ url })])
    running.child.stdin?.end(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'diff', params })}\n`)
    const messages = (await running).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const { result } = messages.find(({ id }) => id === 1)
    return { code: result.exitCode, script: result.stdout }
  }
})
