import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { ZmtpClient } from './zmtp.client.js'
import { clientGreeting, readFrames, readGreeting, readyCommand, subscription, ZmtpError } from './zmtp.js'

const WELCOME = Buffer.concat([clientGreeting(), readyCommand()])

describe(readFrames, () => {
  it('reads frames however they are split', () => {
    const bytes = Buffer.concat([part('hashblock', true), part('x'.repeat(300)), readyCommand()])
    for (let cut = 0; cut <= bytes.length; cut++) {
      const first = readFrames(bytes.subarray(0, cut))
      const second = readFrames(Buffer.concat([first.rest, bytes.subarray(cut)]))
      const frames = [...first.frames, ...second.frames]
      expect(frames.map(({ body, more, command }) => [body.length, more, command])).toEqual([
        [9, true, false],
        [300, false, false],
        [readyCommand().length - 2, false, true],
      ])
      expect(second.rest).toHaveLength(0)
    }
  })

  it('refuses a frame that is longer than any subscribed message', () => {
    expect(() => readFrames(Buffer.of(2, 0, 0, 0, 1, 0, 0, 0, 0))).toThrow(ZmtpError)
  })
})

describe(readGreeting, () => {
  it('waits until it is complete', () => {
    expect(readGreeting(clientGreeting().subarray(0, 63))).toBeUndefined()
    expect(readGreeting(Buffer.concat([clientGreeting(), Buffer.of(7)]))).toEqual(Buffer.of(7))
  })

  it.each([
    ['another protocol', Buffer.from('HTTP/1.1 400 Bad Request\r\n')],
    ['an older version', changed(clientGreeting(), 10, 1)],
    ['another mechanism', Buffer.concat([clientGreeting().subarray(0, 12), Buffer.from('PLAIN'), clientGreeting().subarray(17)])],
  ])('refuses %s', (_, bytes) => {
    expect(() => readGreeting(bytes)).toThrow(ZmtpError)
  })
})

describe(ZmtpClient, () => {
  let publisher: Server
  let subscriber: ZmtpClient
  let messages: string[][]
  let changes: boolean[]
  const sockets: Socket[] = []

  beforeEach(async () => {
    publisher = createServer((socket) => void sockets.push(socket.on('error', () => {})))
    publisher.listen(0, '127.0.0.1')
    await once(publisher, 'listening')
    messages = []
    changes = []
    subscriber = new ZmtpClient({
      url: `tcp://127.0.0.1:${(publisher.address() as AddressInfo).port}`,
      topics: ['hash', 'sequence'],
      onMessage: (frames) => messages.push(frames.map(String)),
      onChange: (connected) => changes.push(connected),
    })
  })

  afterEach(async () => {
    subscriber.stop()
    for (const socket of sockets.splice(0)) socket.destroy()
    publisher.close()
    await once(publisher, 'close')
  })

  it('sends its greeting, its socket type and its subscriptions', async () => {
    const [socket] = (await once(publisher, 'connection')) as [Socket]
    const from = reader(socket)
    expect(await from(64)).toEqual(clientGreeting())
    socket.write(clientGreeting())
    expect(await from(readyCommand().length)).toEqual(readyCommand())
    socket.write(readyCommand())
    const wanted = Buffer.concat([subscription('hash'), subscription('sequence')])
    expect(await from(wanted.length)).toEqual(wanted)
  })

  it('delivers whole messages, however they are split', async () => {
    const [socket] = (await once(publisher, 'connection')) as [Socket]
    const bytes = Buffer.concat([WELCOME, part('hashblock', true), part('abc'), part('hashtx', true), part('def')])
    for (const byte of bytes) {
      socket.write(Buffer.of(byte))
      await new Promise(setImmediate)
    }
    await until(() => messages.length === 2)
    expect(messages).toEqual([
      ['hashblock', 'abc'],
      ['hashtx', 'def'],
    ])
    expect(changes).toEqual([true])
  })

  it.each([
    ['closes', (socket: Socket) => socket.end(WELCOME)],
    ['speaks another protocol', (socket: Socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['sends a message without an end', (socket: Socket) => socket.write(Buffer.concat([WELCOME, ...Array(40).fill(part('x', true))]))],
    ['sends a frame of gigabytes', (socket: Socket) => socket.write(Buffer.concat([WELCOME, Buffer.of(2, 0, 0, 0, 2, 0, 0, 0, 0)]))],
  ])('reconnects when its publisher %s', async (_, misbehave) => {
    const [first] = (await once(publisher, 'connection')) as [Socket]
    misbehave(first)
    const [second] = (await once(publisher, 'connection')) as [Socket]
    second.write(Buffer.concat([WELCOME, part('hashblock', true), part('new')]))
    await until(() => messages.some(([, body]) => body === 'new'))
    expect(changes.at(-1)).toBe(true)
    expect(changes).toContain(false)
  })
})

function part(body: string, more = false): Buffer {
  if (body.length < 256) return Buffer.concat([Buffer.of(more ? 1 : 0, body.length), Buffer.from(body)])
  const head = Buffer.alloc(9)
  head[0] = 2 + (more ? 1 : 0)
  head.writeBigUInt64BE(BigInt(body.length), 1)
  return Buffer.concat([head, Buffer.from(body)])
}

function changed(bytes: Buffer, at: number, value: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[at] = value
  return copy
}

/** Reads so many bytes, and proves that no more have come before we answer. */
function reader(socket: Socket): (length: number) => Promise<Buffer> {
  let bytes = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk])
  })
  return async (length) => {
    await until(() => bytes.length >= length)
    const read = bytes
    bytes = Buffer.alloc(0)
    return read
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5))
}
