import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { migrate } from '../src/migrate.js'
import { provision } from '../src/provision.js'
import { query, startServer, type TestServer } from './server.js'

const PRISMA = fileURLToPath(new URL('../../../prisma/', import.meta.url))
const CLI = fileURLToPath(new URL('../node_modules/.bin/prisma', import.meta.url))
const services = readdirSync(PRISMA).filter((name) => existsSync(`${PRISMA}${name}/schema.prisma`))

describe('schema.prisma', () => {
  let server: TestServer

  beforeAll(async () => {
    server = await startServer()
  })

  afterAll(() => server.stop())

  it.each(services)('of %s describes what its migrations make', async (service) => {
    const { url } = await migrated(service)
    expect(await compare(service, url)).toEqual({ code: 0, script: expect.stringContaining('empty migration') })
  })

  it('is known to differ when a column, a default or a partial index does', async () => {
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
  async function compare(service: string, url: string): Promise<{ code: number; script: string }> {
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
})
