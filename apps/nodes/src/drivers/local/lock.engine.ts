import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:net'
import { resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const RETRY_MS = 10

/** Does the work, unless this or another process of the host holds the lock. */
export async function unlessLocked(path: string, work: () => Promise<void>): Promise<void> {
  const lock = await take(path)
  if (lock) await runLocked(lock, work)
}

/** Waits for the lock, then does the work. */
export async function whenUnlocked<T>(path: string, work: () => Promise<T>): Promise<T> {
  for (;;) {
    const lock = await take(path)
    if (lock) return runLocked(lock, work)
    await delay(RETRY_MS)
  }
}

/** An abstract Unix socket (unix(7)): the kernel releases it however its holder exits. Undefined if the lock is held. */
function take(path: string): Promise<Server | undefined> {
  const name = createHash('sha256').update(resolve(path)).digest('hex')
  return new Promise((taken, failed) => {
    const lock = createServer()
    lock.on('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? taken(undefined) : failed(error)))
    lock.listen({ path: `\0trestle-nodes-${name}` }, () => taken(lock))
  })
}

async function runLocked<T>(lock: Server, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } finally {
    await new Promise((closed) => lock.close(closed))
  }
}
