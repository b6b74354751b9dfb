import { Metrics } from '@trestle/runtime/metrics'
import { SetClock } from '@trestle/runtime/test/set-clock'
import type { UsageRepository } from './usage.repository.js'
import type { UsageRow } from './usage-book.js'
import { UsageWriter } from './usage-writer.service.js'

const ONE = [{ holding: { id: 'node-1', userId: 'user-1' }, methods: [{ method: 'eth_call', calls: 2, errors: 1, bytesOut: 7 }] }]

describe(UsageWriter, () => {
  it('keeps what could not be written, and adds to it', async () => {
    const { writer, repository } = setUp()
    repository.failure = new Error('away')
    writer.add(ONE)
    await expect(writer.write()).rejects.toThrow('away')
    writer.add(ONE)
    repository.failure = undefined
    await writer.write()
    await writer.write()
    expect(repository.rows).toMatchObject([{ holding: 'node-1', method: 'eth_call', calls: 4, errors: 2, bytesOut: 14 }])
  })
})

function setUp() {
  const repository = new FakeRepository()
  return { repository, writer: new UsageWriter(repository as unknown as UsageRepository, new SetClock(), new Metrics()) }
}

class FakeRepository {
  failure: Error | undefined
  readonly rows: UsageRow[] = []

  async add(rows: readonly UsageRow[]): Promise<void> {
    if (this.failure) throw this.failure
    this.rows.push(...rows)
  }
}
