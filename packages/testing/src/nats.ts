import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { startNats } from '@trestle/devnet/nats'
import { workerFolder } from './worker-folder.js'

export interface TestNats {
  readonly url: string
  /** SIGKILL: nothing is flushed. */
  kill(): Promise<void>
  /** Starts on the same port, with the same data. */
  start(): Promise<void>
  /** Restarts on the same port without its streams. */
  wipe(): Promise<void>
  stop(): Promise<void>
}

/** Starts a nats-server with JetStream for one test. */
export async function testNats(): Promise<TestNats> {
  const dir = mkdtempSync(join(workerFolder(), 'nats-'))
  let server = await startNats({ dir })
  const { url, port } = server

  async function kill() {
    server.process.kill('SIGKILL')
    await server.process.exited
  }
  async function start() {
    server = await startNats({ dir, port })
  }
  async function wipe() {
    await kill()
    rmSync(join(dir, 'jetstream'), { recursive: true, force: true })
    await start()
  }
  async function stop() {
    await server.stop()
    rmSync(dir, { recursive: true })
  }
  return { url, kill, start, wipe, stop }
}
