import { TOKEN_CREATION, transferOf } from '@trestle/devnet/ethereum/token'
import { startAnvils, type TestAnvils } from '@trestle/testing/anvils'
import { parseChainBlock } from '../src/heads/header.js'
import { receiptsSuspicion } from '../src/integrity/block-receipts.js'
import { headerHash } from '../src/integrity/header-hash.js'
import { bloomOf } from '../src/integrity/logs-bloom.js'

// What a node makes: held against our own hashes.
let anvils: TestAnvils
beforeAll(async () => {
  anvils = await startAnvils()
  const created = await anvils.send({ to: undefined, value: '0x0', data: TOKEN_CREATION, gas: '0x7a120' })
  await anvils.mine()
  const { contractAddress: to } = await call<{ contractAddress: string }>('eth_getTransactionReceipt', created)
  // More than 128: the positions have keys of one byte and of two.
  for (let index = 0; index < 140; index++)
    await anvils.send({ to, value: '0x0', data: transferOf(anvils.accounts[1]!, 1n), gas: '0x186a0' })
  await anvils.mine()
})
afterAll(() => anvils.stop())

it.each(['0x0', '0x1', 'latest'])('headers have their hashes: %s', async (number) => {
  const header = await call<Record<string, unknown>>('eth_getBlockByNumber', number, false)
  expect(headerHash(header)).toBe(header.hash)
})

it.each(['0x1', 'latest'])('receipts have their root, and blooms: %s', async (number) => {
  const block = parseChainBlock(await call('eth_getBlockByNumber', number, false), 0)
  const receipts = await call<Receipt[]>('eth_getBlockReceipts', number)
  const suspicion = (changed: readonly Receipt[]) => receiptsSuspicion(Buffer.from(JSON.stringify(changed)), block)
  expect(suspicion(receipts)).toBeUndefined()
  expect(suspicion(receipts.slice(1))).toBe('doubtful')
  expect(suspicion(receipts.map((receipt) => ({ ...receipt, logs: [], status: '0x0' })))).toBe('doubtful')
  expect(JSON.parse(block.header).logsBloom).toBe(bloomOf(receipts.flatMap(({ logs }) => logs)))
})

interface Receipt {
  readonly logs: readonly { readonly address: string; readonly topics: readonly string[] }[]
}

function call<T>(method: string, ...params: unknown[]): Promise<T> {
  return anvils.nodes[0]!.rpc.call<T>(method, ...params)
}
