import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type KeyResult, type KeyTask, restoreBuffers } from './key-worker.engine.js'

interface Waiting {
  resolve(value: unknown): void
  reject(error: Error): void
}

// Beside this file, and as source or built like it.
const MAIN = new URL(`./key-worker.engine${extname(import.meta.url)}`, import.meta.url)

/** A thread that answers its tasks in order. It starts with the first task, and again after it has failed. */
export class KeyThread {
  private worker?: Worker
  private tasks: Waiting[] = []

  get waiting(): number {
    return this.tasks.length
  }

  run<T>(task: KeyTask): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    this.worker ??= this.start()
    this.tasks.push({ resolve: resolve as Waiting['resolve'], reject })
    this.worker.postMessage(task)
    return promise
  }

  async close(): Promise<void> {
    await this.worker?.terminate()
  }

  private start(): Worker {
    const worker = new Worker(MAIN)
    worker.on('message', (answer: KeyResult) => {
      const task = this.tasks.shift()
      if ('error' in answer) task?.reject(new Error(answer.error))
      else task?.resolve(restoreBuffers(answer.value))
    })
    worker.on('error', (error) => this.end(worker, error))
    worker.on('exit', () => this.end(worker, new Error('The key thread has ended.')))
    worker.unref()
    return worker
  }

  private end(worker: Worker, error: Error): void {
    if (this.worker !== worker) return
    this.worker = undefined
    for (const { reject } of this.tasks.splice(0)) reject(error)
  }
}
