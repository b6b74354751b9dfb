import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { guard, release } from '@trestle/devnet/guard'
import { freePorts } from '@trestle/devnet/ports'
import { cpuSeconds } from '../process.ts'
import type { BenchStore, StoredEntry } from './answer-store.ts'

const COMMAND = process.env.REDIS_SERVER ?? 'redis-server'
const NONE = Buffer.from('$-1\r\n')

/** As much of RESP as SET and GET need, with any number of requests on their way. */
export class RedisStore implements BenchStore {
  readonly name = 'Redis'
  private readonly socket: Socket
  private readonly server: ChildProcess
  private readonly waiting: ((value: Buffer | undefined) => void)[] = []
  private received: Buffer = Buffer.alloc(0)

  private constructor(server: ChildProcess, socket: Socket) {
    this.server = server
    this.socket = socket
    socket.setNoDelay()
    socket.on('data', (data) => this.take(data))
  }

  /** Undefined where there is none on this machine: `REDIS_SERVER`, or on PATH. */
  static async open(): Promise<RedisStore | undefined> {
    if (spawnSync(COMMAND, ['--version']).status !== 0) return undefined
    const [port = 0] = await freePorts(1)
    const server = spawn(COMMAND, ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--daemonize', 'no'], { stdio: 'ignore' })
    guard(server.pid ?? 0, 'SIGTERM')
    return new RedisStore(server, await connected(port))
  }

  read(key: Buffer): Promise<Buffer | undefined> {
    return this.ask(['GET', key.toString('hex')])
  }

  async write(entries: readonly StoredEntry[]): Promise<void> {
    this.socket.cork()
    const written = entries.map(({ key, value }) => this.ask(['SET', key.toString('hex'), value]))
    this.socket.uncork()
    await Promise.all(written)
  }

  cpuSeconds(): number {
    return cpuSeconds(this.server.pid ?? 0)
  }

  async stop(): Promise<void> {
    this.socket.destroy()
    const ended = once(this.server, 'exit')
    this.server.kill()
    await ended
    release(this.server.pid ?? 0)
  }

  private ask(words: readonly (string | Buffer)[]): Promise<Buffer | undefined> {
    const parts = words.flatMap((word) => [`$${Buffer.byteLength(word)}\r\n`, word, '\r\n'])
    this.socket.write(Buffer.concat([`*${words.length}\r\n`, ...parts].map((part) => Buffer.from(part))))
    return new Promise((resolve) => this.waiting.push(resolve))
  }

  private take(data: Buffer): void {
    this.received = this.received.length > 0 ? Buffer.concat([this.received, data]) : data
    for (let length = this.takeOne(); length > 0; length = this.takeOne()) this.received = this.received.subarray(length)
  }

  /** The bytes of the first reply; 0 while it is not whole. */
  private takeOne(): number {
    const { received } = this
    const line = received.indexOf('\r\n') + 2
    if (line < 2) return 0
    if (received[0] !== NONE[0] || received.subarray(0, line).equals(NONE)) {
      this.waiting.shift()?.(undefined)
      return line
    }
    const end = line + Number(received.toString('latin1', 1, line - 2))
    if (received.length < end + 2) return 0
    this.waiting.shift()?.(Buffer.from(received.subarray(line, end)))
    return end + 2
  }
}

async function connected(port: number): Promise<Socket> {
  for (let tries = 0; ; tries++) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await Promise.race([once(socket, 'connect').then(() => true), once(socket, 'close').then(() => false)]).catch(
      () => false,
    )
    if (isOpen) return socket
    if (tries === 100) throw new Error('redis-server does not listen')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
