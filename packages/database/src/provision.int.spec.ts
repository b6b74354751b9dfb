import { query, startServer, type TestServer } from '../test/server.js'
import { provision } from './provision.js'

describe(provision, () => {
  let server: TestServer
  let accounts: string
  let staking: string

  beforeAll(async () => {
    server = await startServer()
    accounts = server.urlOf('trestle_accounts', 'shared')
    staking = server.urlOf('trestle_staking', 'shared')
    await provision({ adminUrl: server.adminUrl, url: accounts, schema: 'accounts' })
    await provision({ adminUrl: server.adminUrl, url: staking, schema: 'staking' })
    await query(accounts, 'CREATE TABLE secret (word text)')
    await query(accounts, "INSERT INTO secret VALUES ('plugh')")
  })

  afterAll(() => server.stop())

  it('lets the role work in its own schema without naming it', async () => {
    expect(await query(accounts, 'SELECT word, current_schema FROM secret')).toEqual([{ word: 'plugh', current_schema: 'accounts' }])
  })

  it.each([
    ['read a table of another service', 'SELECT * FROM accounts.secret'],
    ['change its rows', "UPDATE accounts.secret SET word = ''"],
    ['drop its table', 'DROP TABLE accounts.secret'],
    ['create in its schema', 'CREATE TABLE accounts.mine ()'],
    ['create a schema of its own choice', 'CREATE SCHEMA mine'],
    ['create in public', 'CREATE TABLE public.mine ()'],
    ['create a temporary table', 'CREATE TEMPORARY TABLE mine ()'],
    ['become the role of another service', 'SET ROLE trestle_accounts'],
    ['give itself rights on another schema', 'GRANT USAGE ON SCHEMA accounts TO trestle_staking'],
    ['create a role', 'CREATE ROLE mine'],
    ['create a database', 'CREATE DATABASE mine'],
    ['read files', "SELECT pg_read_file('/etc/passwd')"],
  ])('does not let a role %s', async (_, sql) => {
    await expect(query(staking, sql)).rejects.toMatchObject({ code: '42501' })
  })

  it('hides the tables of others from a role', async () => {
    const tables = "SELECT table_name FROM information_schema.tables WHERE table_schema NOT IN ('pg_catalog', 'information_schema')"
    expect(await query(staking, tables)).toEqual([])
    expect(await query(accounts, tables)).toEqual([{ table_name: 'secret' }])
  })

  it('keeps a role out of the databases of others', async () => {
    const other = server.urlOf('trestle_nodes', 'apart')
    await provision({ adminUrl: server.adminUrl, url: other, schema: 'nodes' })
    await expect(query(server.urlOf('trestle_nodes', 'shared'), 'SELECT 1')).rejects.toMatchObject({ code: '42501' })
    await expect(query(server.urlOf('trestle_accounts', 'apart'), 'SELECT 1')).rejects.toMatchObject({ code: '42501' })
  })

  it('accepts any name and password', async () => {
    const url = server.urlOf('a "role"; --', `data"base'`, `pass'word\\ "%; é`)
    await provision({ adminUrl: server.adminUrl, url, schema: 'sch"ema' })
    expect(await query(url, 'SELECT current_user, current_schema, current_database()')).toEqual([
      { current_user: 'a "role"; --', current_schema: 'sch"ema', current_database: `data"base'` },
    ])
  })

  it('changes the password of the role when the URL has a new one, and keeps the data', async () => {
    const url = server.urlOf('trestle_accounts', 'shared', 'another')
    await provision({ adminUrl: server.adminUrl, url, schema: 'accounts' })
    expect(await query(url, 'SELECT word FROM secret')).toEqual([{ word: 'plugh' }])
    await expect(query(accounts, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' })
    await provision({ adminUrl: server.adminUrl, url: accounts, schema: 'accounts' })
  })

  it('may run for several services at once', async () => {
    const services = ['one', 'two', 'three', 'four'].map((name) => ({ name, url: server.urlOf(`trestle_${name}`, 'crowded') }))
    await Promise.all(services.map(({ name, url }) => provision({ adminUrl: server.adminUrl, url, schema: name })))
    const schemas = await Promise.all(services.map(({ url }) => query(url, 'SELECT current_schema')))
    expect(schemas.flat()).toEqual(services.map(({ name }) => ({ current_schema: name })))
  })

  it('works for an administrator without superuser rights', async () => {
    await query(server.adminUrl, `CREATE ROLE landlord LOGIN CREATEROLE CREATEDB PASSWORD 'secret'`)
    const landlord = Object.assign(new URL(server.adminUrl), { username: 'landlord', password: 'secret' }).href
    const url = server.urlOf('trestle_tenant', 'rented')
    await provision({ adminUrl: landlord, url, schema: 'tenant' })
    await provision({ adminUrl: landlord, url, schema: 'tenant' })
    expect(await query(url, 'SELECT current_schema')).toEqual([{ current_schema: 'tenant' }])
  })

  it("refuses the administrator's role for a service", async () => {
    const url = Object.assign(new URL(server.adminUrl), { pathname: 'shared' }).href
    await expect(provision({ adminUrl: server.adminUrl, url, schema: 'accounts' })).rejects.toThrow(
      '"postgres" administers the database: a service needs a role of its own.',
    )
  })

  it.each(['postgresql://localhost/shared', 'postgresql://role@localhost/shared', 'postgresql://role:secret@localhost'])(
    'refuses the incomplete URL %s',
    async (url) => {
      await expect(provision({ adminUrl: server.adminUrl, url, schema: 'accounts' })).rejects.toThrow(
        "A service's database URL must name a user, a password and a database.",
      )
    },
  )
})
