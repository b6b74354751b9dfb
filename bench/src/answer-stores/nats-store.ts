import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import type { BenchStore, StoredEntry } from './answer-store.ts'

/** A stream with the last message of each subject, as NATS KV has it, read directly. */
export class NatsStore implements BenchStore {
  readonly name: string
  private readonly client: NatsConnection
  private readonly bucket: string
  private readonly serverCpu: () => number

  private constructor(client: NatsConnection, bucket: string, serverCpu: () => number) {
    this.client = client
    this.bucket = bucket
    this.name = `NATS KV, ${bucket}`
    this.serverCpu = serverCpu
  }

  static async open(url: string, bucket: 'file' | 'memory', serverCpu: () => number): Promise<NatsStore> {
    const client = await connect({ servers: url })
    const manager = await jetstreamManager(client)
    await manager.streams.add({
      name: bucket,
      subjects: [`${bucket}.*`],
      storage: bucket,
      discard: 'old',
      max_msgs_per_subject: 1,
      max_bytes: 2 ** 30,
      allow_direct: true,
    })
    return new NatsStore(client, bucket, serverCpu)
  }

  async read(key: Buffer): Promise<Buffer | undefined> {
    const subject = `$JS.API.DIRECT.GET.${this.bucket}.${this.bucket}.${key.toString('hex')}`
    const { data, headers } = await this.client.request(subject, undefined, { timeout: 10_000 })
    return headers?.code === 404 ? undefined : Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  }

  async write(entries: readonly StoredEntry[]): Promise<void> {
    const client = jetstream(this.client)
    await Promise.all(entries.map(({ key, value }) => client.publish(`${this.bucket}.${key.toString('hex')}`, value)))
  }

  cpuSeconds(): number {
    return this.serverCpu()
  }

  stop(): Promise<void> {
    return this.client.close()
  }
}
