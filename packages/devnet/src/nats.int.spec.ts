import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '@nats-io/transport-node'
import { type RunningNats, startNats } from './nats.js'
import { natsServer } from './nats-server.js'

const ALL = 'authorization { users: [{ user: somebody, password: secret }] }'

describe(startNats, () => {
  let dir: string
  let nats: RunningNats

  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'nats-'))
    nats = await startNats({ dir, authorization: ALL })
  })

  afterAll(async () => {
    await nats.stop()
    rmSync(dir, { recursive: true })
  })

  it('serves JetStream on 127.0.0.1', async () => {
    expect(nats.url).toBe(`nats://127.0.0.1:${nats.port}`)
    const client = await connect({ servers: nats.url, user: 'somebody', pass: 'secret' })
    expect(client.info).toMatchObject({ host: '127.0.0.1', jetstream: true, auth_required: true })
    await client.close()
    expect(existsSync(join(dir, 'jetstream/jetstream'))).toBe(true)
  })

  it('is closed to whoever has no key, and shows nobody its state', async () => {
    await expect(connect({ servers: nats.url })).rejects.toThrow('Authorization Violation')
    const config = join(dir, 'nats.conf')
    expect(readFileSync(config, 'utf8')).not.toMatch(/http|monitor/)
    expect(statSync(config).mode & 0o777).toBe(0o600)
  })

  it('comes back on its port after it was killed', async () => {
    const { port } = nats
    nats.process.kill('SIGKILL')
    expect(await nats.process.exited).toBe('SIGKILL')
    nats = await startNats({ dir, port, authorization: ALL })
    expect(nats.port).toBe(port)
  })

  it('takes over from a server that an earlier run left behind', async () => {
    const earlier = nats
    nats = await startNats({ dir, authorization: ALL })
    await expect(earlier.process.exited).resolves.toBeDefined()
  })

  it('says why it does not start', async () => {
    const other = mkdtempSync(join(tmpdir(), 'nats-'))
    await expect(startNats({ dir: other, port: nats.port, authorization: ALL })).rejects.toThrow('address already in use')
    rmSync(other, { recursive: true })
  })
})

describe(natsServer, () => {
  it('refuses a NATS_SERVER that is no program', async () => {
    await expect(natsServer({ NATS_SERVER: '/nowhere/nats-server' })).rejects.toThrow('NATS_SERVER names /nowhere/nats-server')
  })
})
