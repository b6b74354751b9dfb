import { setTimeout as delay } from 'node:timers/promises'
import type { EvmNodeClient } from './evm-node.client.js'
import { PendingFeed } from './pending-feed.engine.js'

it('does not ask again and again where no node has a pool', async () => {
  let asked = 0
  const node = {
    newPendingFilter: async () => {
      asked++
      throw new Error('the method eth_newPendingTransactionFilter does not exist')
    },
  } as unknown as EvmNodeClient
  const feed = new PendingFeed({ sources: () => [{ name: 'n0', isHealthy: true, node }], pollMs: 250, onPending: () => {} })
  feed.start()
  await delay(1_500)
  // A failure may pass at once.
  expect(asked).toBe(2)
  feed.stop()
})
