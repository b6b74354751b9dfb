import { EventReader } from './seeded/event-reader.js'
import { startSeededApi } from './seeded/seeded-api.js'
import { SeededChain } from './seeded/seeded-chain.js'

describe('a service that stops', () => {
  it('ends its streams, and does not wait for them', async () => {
    const api = await startSeededApi()
    const chain = new SeededChain()
    chain.mine()
    await api.seed(chain)
    const reader = await EventReader.open(api.url)
    await reader.next()
    const stopping = api.stop()
    expect(await reader.next()).toBeUndefined()
    // Its end was sent: it was not cut off when the time to stop was over.
    expect(reader.response.complete).toBe(true)
    await stopping
  })
})
