import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningNats, startNats } from './nats.js'
import { natsServer } from './nats-server.js'

describe(startNats, () => {
  let dir: string
  let nats: RunningNats

  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'nats-'))
    nats = await startNats({ dir })
  })

  afterAll(async () => {
    await nats.stop()
    rmSync(dir, { recursive: true })
  })

  it('serves JetStream on 127.0.0.1', async () => {
    expect(nats.url).toBe(`nats://127.0.0.1:${nats.port}`)
    const server = await fetch(`${nats.monitorUrl}/varz`).then((answer) => answer.json())
    expect(server).toMatchObject({ host: '127.0.0.1', jetstream: { config: { store_dir: join(dir, 'jetstream/jetstream') } } })
  })

  it('comes back on its port after it was killed', async () => {
    const { port } = nats
    nats.process.kill('SIGKILL')
    expect(await nats.process.exited).toBe('SIGKILL')
    nats = await startNats({ dir, port })
    expect(nats.port).toBe(port)
  })

  it('takes over from a server that an earlier run left behind', async () => {
    const earlier = nats
    nats = await startNats({ dir })
    await expect(earlier.process.exited).resolves.toBeDefined()
  })

  it('says why it does not start', async () => {
    const other = mkdtempSync(join(tmpdir(), 'nats-'))
    await expect(startNats({ dir: other, port: nats.port })).rejects.toThrow('address already in use')
    rmSync(other, { recursive: true })
  })
})

describe(natsServer, () => {
  it('refuses a NATS_SERVER that is no program', async () => {
    await expect(natsServer({ NATS_SERVER: '/nowhere/nats-server' })).rejects.toThrow('NATS_SERVER names /nowhere/nats-server')
  })
})
