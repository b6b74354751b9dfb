import { once } from 'node:events'
import { createConnection } from 'node:net'
import { type TestNats, testNats } from './nats.js'

describe(testNats, () => {
  let nats: TestNats

  beforeAll(async () => {
    nats = await testNats()
  })

  afterAll(() => nats.stop())

  it('keeps its streams when it is killed and started again', async () => {
    await request(nats, '$JS.API.STREAM.CREATE.kept', { name: 'kept', subjects: ['kept.>'] })
    await nats.kill()
    await expect(streams(nats)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    await nats.start()
    expect(await streams(nats)).toEqual(['kept'])
  })

  it('restarts on the same port without its streams when it is wiped', async () => {
    await nats.wipe()
    expect(await streams(nats)).toEqual([])
  })
})

async function streams(nats: TestNats): Promise<string[]> {
  const { streams } = (await request(nats, '$JS.API.STREAM.NAMES')) as { streams: string[] | null }
  return streams ?? []
}

/** One request in NATS's own text protocol: https://docs.nats.io/reference/reference-protocols/nats-protocol */
async function request({ administrator: { servers, ...credentials } }: TestNats, subject: string, payload: unknown = {}): Promise<unknown> {
  const body = JSON.stringify(payload)
  const socket = createConnection(Number(new URL(servers).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write(
    `CONNECT ${JSON.stringify({ verbose: false, ...credentials })}\r\nSUB answer 1\r\nPUB ${subject} answer ${body.length}\r\n${body}\r\n`,
  )
  let received = ''
  for await (const chunk of socket) {
    received += chunk
    const answer = /^MSG answer .*\r\n(.*)\r\n/m.exec(received)?.[1]
    if (answer) return JSON.parse(answer)
  }
  throw new Error(`The connection ended: ${received}`)
}
