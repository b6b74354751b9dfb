/** A place where answers are kept, as the benchmark uses each. */
export interface BenchStore {
  readonly name: string
  read(key: Buffer): Promise<Buffer | undefined>
  write(entries: readonly StoredEntry[]): Promise<void>
  /** CPU seconds of its server so far. */
  cpuSeconds(): number
  stop(): Promise<void>
}

export interface StoredEntry {
  readonly key: Buffer
  readonly value: Buffer
}
