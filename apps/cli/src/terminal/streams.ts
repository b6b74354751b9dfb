import type { Readable, Writable } from 'node:stream'
import type { ReadStream, WriteStream } from 'node:tty'

export type TerminalInput = Readable & Partial<Pick<ReadStream, 'isTTY'>>
export type TerminalOutput = Writable & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>

export interface TerminalStreams {
  readonly stdin: TerminalInput
  readonly stdout: TerminalOutput
  readonly stderr: TerminalOutput
}
