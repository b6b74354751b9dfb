import type { Readable, Writable } from 'node:stream'
import type { ReadStream, WriteStream } from 'node:tty'

export type Input = Readable & Partial<Pick<ReadStream, 'isTTY'>>
export type Output = Writable & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>

export interface Streams {
  readonly stdin: Input
  readonly stdout: Output
  readonly stderr: Output
}
