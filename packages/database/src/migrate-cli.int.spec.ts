import { runFromSource } from '../test/from-source.js'
import { query, startServer, type TestServer } from '../test/server.js'

describe('migrate-cli', () => {
  let server: TestServer

  beforeAll(async () => {
    server = await startServer()
  })

  afterAll(() => server.stop())

  it('creates the role and brings the schema of a service up to date, once', async () => {
    const url = server.urlOf('trestle_accounts', 'trestle')
    const environment = { ACCOUNTS_DATABASE_URL: url, ADMIN_DATABASE_URL: server.adminUrl }
    const first = await run(['accounts'], environment)
    expect(first).toMatchObject({ code: 0, stderr: '' })
    expect(first.stdout).toMatch(/^(accounts: applied \d+_\w+\n)+$/)
    expect(await run(['accounts'], { ACCOUNTS_DATABASE_URL: url })).toEqual({ code: 0, stderr: '', stdout: 'accounts: up to date\n' })
    expect(await query(url, "SELECT to_regclass('outbox') IS NOT NULL AS there")).toEqual([{ there: true }])
  })

  it('gives each deployment of a service a schema and a role of its own', async () => {
    const deployments = ['one', 'other-one'].map((name) => ({ name, url: server.urlOf(`trestle_${name}`, 'trestle') }))
    const urls = deployments.map(({ name, url }) => [`${name.toUpperCase().replace('-', '_')}_DATABASE_URL`, url])
    const environment = { ADMIN_DATABASE_URL: server.adminUrl, ...Object.fromEntries(urls) }
    const { code, stdout } = await run(['accounts:one', 'accounts:other-one'], environment)
    expect(code).toBe(0)
    expect(stdout).toMatch(/^(one: applied \d+_\w+\n)+(other-one: applied \d+_\w+\n)+$/)
    const schemas = await Promise.all(deployments.map(({ url }) => query(url, 'SELECT current_schema')))
    expect(schemas.flat()).toEqual([{ current_schema: 'one' }, { current_schema: 'other_one' }])
  })

  it.each([
    ['a service that is none', ['accounting'], {}, 'There is no service "accounting" with a database; there is accounts'],
    ['no URL', ['accounts'], {}, 'The environment is not valid:\n  ACCOUNTS_DATABASE_URL: is required'],
    [
      'no Postgres',
      ['accounts'],
      { ACCOUNTS_DATABASE_URL: 'postgresql://a:secret@127.0.0.1:1/a' },
      'accounts: connect ECONNREFUSED 127.0.0.1:1',
    ],
  ])('fails with one sentence and without the password for %s', async (_, args, env, sentence) => {
    const { code, stdout, stderr } = await run(args, env)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(sentence)
    expect(stderr).not.toContain('secret')
  })

  it('fails when the role cannot log in', async () => {
    const { code, stderr } = await run(['accounts'], { ACCOUNTS_DATABASE_URL: server.urlOf('nobody', 'trestle') })
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'accounts: password authentication failed for user "nobody"\n' })
  })

  it('prints help', async () => {
    expect(await run(['--help'])).toMatchObject({ code: 0, stdout: expect.stringContaining('ADMIN_DATABASE_URL') })
    expect(await run([])).toMatchObject({ code: 1, stdout: expect.stringContaining('node migrate-cli.js <service>') })
  })
})

function run(args: string[], env: Record<string, string> = {}) {
  return runFromSource('../src/migrate-cli.ts', args, env)
}
