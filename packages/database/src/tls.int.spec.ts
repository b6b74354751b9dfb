import { PrismaPg } from '@prisma/adapter-pg'
import { runFromSource } from '../test/from-source.js'
import { PrismaClient } from '../test/generated/client.js'
import { reloadWith, startTlsServer } from '../test/tls-server.js'
import { createPool } from './pool.js'

const ENCRYPTED = 'SELECT ssl, version FROM pg_stat_ssl WHERE pid = pg_backend_pid()'

describe('a connection to Postgres', () => {
  let server: Awaited<ReturnType<typeof startTlsServer>>
  beforeAll(async () => {
    server = await startTlsServer()
    await server.serve('localhost')
  })
  afterAll(() => server.stop())

  const verified = (url: string, authority = server.ours, mode = 'verify-full') => {
    const { href } = Object.assign(new URL(url), { hostname: 'localhost' })
    return `${href}?sslmode=${mode}&sslrootcert=${encodeURIComponent(authority)}`
  }
  const encryptionOf = async (url: string) => {
    const pool = createPool({ url, schema: 'accounts' })
    try {
      return (await pool.query(ENCRYPTED)).rows
    } finally {
      await pool.end()
    }
  }

  it('is encrypted and verified when its URL says so', async () => {
    expect(await encryptionOf(verified(server.adminUrl))).toEqual([{ ssl: true, version: 'TLSv1.3' }])
    expect(await encryptionOf(server.adminUrl)).toEqual([{ ssl: false, version: null }])
  })

  it('is encrypted for Prisma, too', async () => {
    const pool = createPool({ url: verified(server.adminUrl), schema: 'public' })
    const prisma = new PrismaClient({ adapter: new PrismaPg(pool, { schema: 'public' }) })
    expect(await prisma.$queryRawUnsafe(ENCRYPTED)).toEqual([{ ssl: true, version: 'TLSv1.3' }])
    await pool.end()
  })

  it('is refused when another authority has signed the certificate', async () => {
    await expect(encryptionOf(verified(server.adminUrl, server.theirs))).rejects.toThrow(/unable to (verify|get)|self-signed/)
  })

  it('is refused when no authority is named and no public one has signed it', async () => {
    const url = Object.assign(new URL(server.adminUrl), { hostname: 'localhost' }).href
    await expect(encryptionOf(`${url}?sslmode=verify-full`)).rejects.toThrow(/unable to (verify|get)|self-signed/)
  })

  it('is refused when the certificate is for another host', async () => {
    await server.serve('elsewhere')
    await expect(encryptionOf(verified(server.adminUrl))).rejects.toThrow("Host: localhost. is not in the cert's altnames")
    await server.serve('localhost')
  })

  it('is never made without TLS to a server that has none', async () => {
    await reloadWith(server.adminUrl, 'ssl', 'off')
    await expect(encryptionOf(verified(server.adminUrl))).rejects.toThrow('does not support SSL')
    await server.serve('localhost')
  })

  it('is verified by the migration job too, for the role and for the administrator', async () => {
    const url = server.urlOf('trestle_accounts', 'trestle')
    const job = (ours: string, admin: string) =>
      runFromSource('../src/migrate-cli.ts', ['accounts'], { ACCOUNTS_DATABASE_URL: ours, ADMIN_DATABASE_URL: admin })
    const untrusted = await job(verified(url), verified(server.adminUrl, server.theirs))
    expect(untrusted).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/unable to (verify|get)|self-signed/) })
    expect(await job(verified(url), verified(server.adminUrl))).toMatchObject({ code: 0, stderr: '' })
    const alone = await job(verified(url, server.theirs), verified(server.adminUrl))
    expect(alone).toMatchObject({ code: 1, stderr: expect.stringMatching(/unable to (verify|get)|self-signed/) })
  })
})
