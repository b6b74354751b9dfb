import type { Readable, Writable } from 'node:stream'
import type { ReadStream, WriteStream } from 'node:tty'

export type TerminalInput = Readable & Partial<Pick<ReadStream, 'isTTY'>>
export type TerminalOutput = Writable & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>

export interface TerminalStreams {
  readonly stdin: TerminalInput
  readonly stdout: TerminalOutput
  readonly stderr: TerminalOutput
}

/** The width of a terminal. Some have none, and say 0: those of `docker run -t` and of many CI servers. */
export function terminalWidth<Unknown>({ columns }: TerminalOutput, unknown: Unknown): number | Unknown {
  return columns || unknown
}
