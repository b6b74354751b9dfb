import { eventually } from '@trestle/testing/eventually'
import { createPublicClient, fallback, http, type PublicClient } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { type ClientStage, MNEMONIC, startStage } from './clients/stage.js'
import { ABI, CHAIN, clientOf, connected, type Hex, SENDER, TRANSFER, viemRefusalOf, walletOf } from './clients/viem.js'

const TOO_MUCH = 2n ** 200n

let stage: ClientStage
let token: Hex
let accounts: readonly [Hex, Hex, Hex]
beforeAll(async () => {
  stage = await startStage()
  token = stage.token as Hex
  accounts = stage.accounts as readonly [Hex, Hex, Hex]
})
afterAll(() => stage.stop())

describe('viem reads the same through the gateway as from a node', () => {
  it.each<[string, (client: PublicClient) => Promise<unknown>]>([
    ['the number of the newest block', (client) => client.getBlockNumber()],
    ['the chain id', (client) => client.getChainId()],
    ['the latest block', (client) => client.getBlock()],
    ['the first block', (client) => client.getBlock({ blockTag: 'earliest' })],
    ['the safe block', (client) => client.getBlock({ blockTag: 'safe' })],
    ['the finalized block', (client) => client.getBlock({ blockTag: 'finalized' })],
    ['a block with its transactions', (client) => client.getBlock({ blockNumber: 2n, includeTransactions: true })],
    ['how many transactions a block has', (client) => client.getBlockTransactionCount({ blockNumber: 2n })],
    ['how many are pending', (client) => client.getBlockTransactionCount({ blockTag: 'pending' })],
    ['a transaction', (client) => client.getTransaction({ hash: stage.transferred as Hex })],
    ['a transaction by its place', (client) => client.getTransaction({ blockNumber: 2n, index: 1 })],
    ['a receipt', (client) => client.getTransactionReceipt({ hash: stage.transferred as Hex })],
    ['confirmations', (client) => client.getTransactionConfirmations({ hash: stage.paid as Hex })],
    ['a balance', (client) => client.getBalance({ address: accounts[1] })],
    ['a balance in an old block', (client) => client.getBalance({ address: accounts[1], blockNumber: 1n })],
    ['a balance in the finalized block', (client) => client.getBalance({ address: accounts[1], blockTag: 'finalized' })],
    ['a nonce', (client) => client.getTransactionCount({ address: accounts[0] })],
    ['the next nonce', (client) => client.getTransactionCount({ address: accounts[0], blockTag: 'pending' })],
    ['code', (client) => client.getCode({ address: token })],
    ['storage', (client) => client.getStorageAt({ address: token, slot: accounts[1] })],
    ['a proof', (client) => client.getProof({ address: token, storageKeys: [`0x${accounts[1].slice(2).padStart(64, '0')}`] })],
    ['the gas price', (client) => client.getGasPrice()],
    ['the fees', (client) => client.estimateFeesPerGas()],
    ['the price of blobs', (client) => client.getBlobBaseFee()],
    ['the history of fees', (client) => client.getFeeHistory({ blockCount: 4, rewardPercentiles: [25, 75] })],
    ['what gas a payment costs', (client) => client.estimateGas({ account: accounts[1], to: accounts[2], value: 1n })],
    ['what a call returns', (client) => client.call({ to: token, data: '0x18160ddd' })],
    ['what a contract says', (client) => balanceOf(client, accounts[1])],
    ['a text of a contract', (client) => client.readContract({ abi: ABI, address: token, functionName: 'symbol' })],
    ['what a transfer would do', (client) => simulate(client, 3n)],
    ['what it would do to another state', (client) => client.call({ ...overridden(), to: token, data: '0x18160ddd' })],
    ['what an access list would be', (client) => client.createAccessList({ account: accounts[1], to: token, data: '0x18160ddd' })],
    ['what blocks of calls would do', (client) => client.simulateBlocks({ blocks: [{ calls: [{ account: accounts[1], to: token }] }] })],
    ['logs', (client) => client.getLogs({ address: token, fromBlock: 0n })],
    [
      'logs of an event',
      (client) => client.getLogs({ event: TRANSFER, args: { to: accounts[1] }, fromBlock: 'earliest', toBlock: 'latest' }),
    ],
    ['logs of a block', async (client) => client.getLogs({ blockHash: (await client.getBlock({ blockNumber: 2n })).hash })],
    ['events of a contract', (client) => client.getContractEvents({ abi: ABI, address: token, fromBlock: 0n })],
  ])('%s', async (_, ask) => {
    await stage.both((place) => ask(clientOf(place)))
  })

  it('many calls in a batch', async () => {
    const answers = await stage.both((place) => {
      const client = createPublicClient({ chain: CHAIN, transport: http(place.http, { batch: { batchSize: 50 } }) })
      return Promise.all([
        ...Array.from({ length: 23 }, (_, number) => client.getBlock({ blockNumber: BigInt(number) })),
        client.getBalance({ address: accounts[0] }),
        viemRefusalOf(simulate(client, TOO_MUCH)),
      ])
    })
    expect(answers).toHaveLength(25)
  })

  it('over a WebSocket', async () => {
    await stage.both(async (place) => {
      const { client, close } = await connected(place)
      const block = await client.getBlock({ includeTransactions: true, blockNumber: 2n })
      const answers = [block, await client.getLogs({ fromBlock: 0n }), await viemRefusalOf(simulate(client, TOO_MUCH))]
      close()
      return answers
    })
  })

  it('from the second of two URLs when the first is down', async () => {
    await stage.both((place) => {
      const transport = fallback([http('http://127.0.0.1:1', { retryCount: 0 }), http(place.http)])
      return createPublicClient({ chain: CHAIN, transport }).getBlock()
    })
  })
})

describe('viem gets the same errors from the gateway as from a node', () => {
  it('why a contract reverts, with the data', async () => {
    const refusal = await stage.both((place) => viemRefusalOf(simulate(clientOf(place), TOO_MUCH)))
    expect(refusal).toMatchObject({ code: 3, reason: 'insufficient balance', raw: expect.stringMatching(/^0x08c379a0/) })
  })

  it.each<[string, (client: PublicClient) => Promise<unknown>]>([
    ['a block that is not there', (client) => client.getBlock({ blockNumber: 10_000n })],
    ['a balance in a block that is not there', (client) => client.getBalance({ address: accounts[0], blockNumber: 10_000n })],
    ['a transaction that is not there', (client) => client.getTransaction({ hash: `0x${'12'.repeat(32)}` })],
    ['a receipt that is not there', (client) => client.getTransactionReceipt({ hash: `0x${'12'.repeat(32)}` })],
    ['a call without enough gas', (client) => client.call({ to: token, data: '0x18160ddd', gas: 1n })],
    ['a filter that is not there', (client) => client.request({ method: 'eth_getFilterChanges', params: ['0x1'] })],
  ])('%s', async (_, ask) => {
    await stage.both((place) => viemRefusalOf(ask(clientOf(place))))
  })

  it('a method that does not exist', async () => {
    const refusal = await viemRefusalOf(clientOf(stage.through).request({ method: 'eth_noSuchMethod' as 'eth_chainId' }))
    expect(refusal).toMatchObject({ name: 'MethodNotFoundRpcError', code: -32601 })
  })
})

describe('viem sends through the gateway', () => {
  // Anvil fills in transactions, other fees too; the gateway does not, and viem then asks for each thing by itself.
  it('what it prepares and signs like for a node', async () => {
    const fees = await clientOf(stage.direct).estimateFeesPerGas()
    const prepared = await stage.both(async (place) => {
      const { nonce, gas, chainId, type } = await walletOf(place).prepareTransactionRequest({ to: accounts[0], value: 1n, ...fees })
      return { nonce, gas, chainId, type }
    })
    expect(prepared).toEqual({ nonce: 0, gas: 21_000n, chainId: 31_337, type: 'eip1559' })
  })

  it('a payment, and waits for its receipt', async () => {
    const hash = await walletOf(stage.through).sendTransaction({ to: accounts[2], value: 12n })
    const receipt = clientOf(stage.through).waitForTransactionReceipt({ hash })
    await stage.mine()
    expect(await receipt).toMatchObject({ transactionHash: hash, status: 'success' })
    expect(await stage.both((place) => clientOf(place).getTransactionReceipt({ hash }))).toEqual(await receipt)
    await stage.both((place) => clientOf(place).getTransaction({ hash }))
  })

  it('a call of a contract that it has simulated', async () => {
    const account = mnemonicToAccount(MNEMONIC)
    const { request } = await clientOf(stage.through).simulateContract({ ...transferOf(accounts[2], 9n), account })
    const hash = await walletOf(stage.through, account).writeContract(request)
    await stage.mine()
    const { logs } = await stage.both((place) => clientOf(place).getTransactionReceipt({ hash }))
    expect(logs).toHaveLength(1)
  })

  it('one transaction repeatedly, and gets its hash each time', async () => {
    const wallet = walletOf(stage.through)
    const serializedTransaction = await wallet.signTransaction(await wallet.prepareTransactionRequest({ to: accounts[0], value: 2n }))
    const hash = await wallet.sendRawTransaction({ serializedTransaction })
    expect(await wallet.sendRawTransaction({ serializedTransaction })).toBe(hash)
    await stage.mine()
    expect(await wallet.sendRawTransaction({ serializedTransaction })).toBe(hash)
  })

  it.each([
    ['whose nonce is used', { nonce: 0 }],
    ['of another chain', { chainId: 1 }],
    ['that pays less than the base fee', { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n }],
    ['that costs more than there is', { value: 10n ** 30n }],
  ])('no transaction %s', async (_, change) => {
    const prepared = await walletOf(stage.direct).prepareTransactionRequest({ to: accounts[0], value: 1n })
    const serializedTransaction = await SENDER.signTransaction({ ...prepared, ...change } as never)
    await stage.both((place) => viemRefusalOf(walletOf(place).sendRawTransaction({ serializedTransaction })))
  })
})

describe('viem watches the same through the gateway as at a node', () => {
  it('by filters', async () => {
    const told = async (ask: (filters: Filters) => Promise<unknown>) => {
      const [here, there] = await Promise.all(filters.map(ask))
      expect(there).toStrictEqual(here)
      return there
    }
    const filters = await Promise.all([filtersAt(clientOf(stage.direct)), filtersAt(clientOf(stage.through))])
    expect(await told(({ changes }) => changes())).toEqual([[], []])
    await stage.transfer(accounts[1], 11n)
    await stage.mine(2)
    expect(await told(({ changes }) => changes())).toMatchObject([{ length: 2 }, [{ args: { value: 11n } }]])
    expect(await told(({ changes }) => changes())).toEqual([[], []])
    expect(await told(({ logs }) => logs())).toMatchObject([[], { length: 5 }])
    await told(({ uninstall }) => uninstall())
    await told(({ changes }) => viemRefusalOf(changes()))
  })

  it('pending transactions by a filter', async () => {
    const client = clientOf(stage.through)
    const filter = await client.createPendingTransactionFilter()
    const hash = await walletOf(stage.through).sendTransaction({ to: accounts[0], value: 3n })
    await eventually(async () => (await client.getFilterChanges({ filter })).includes(hash) || undefined, 'the transaction is told')
    await stage.mine()
  })

  it.each<[string, Watch, () => Promise<unknown>]>([
    ['blocks', (client, onBlock) => client.watchBlocks({ onBlock, includeTransactions: true }), () => stage.mine()],
    ['numbers of blocks', (client, onBlockNumber) => client.watchBlockNumber({ onBlockNumber }), () => stage.mine()],
    ['logs', (client, onLogs) => client.watchEvent({ address: token, event: TRANSFER, onLogs }), () => transferred()],
    ['events of a contract', (client, onLogs) => client.watchContractEvent({ abi: ABI, address: token, onLogs }), () => transferred()],
    ['pending transactions', (client, onTransactions) => client.watchPendingTransactions({ onTransactions }), () => transferred()],
  ])('%s, over a WebSocket', async (_, watch, act) => {
    const events = await stage.bothHear(async (place, hear) => {
      const { client, close } = await connected(place)
      watch(client, hear)
      return close
    }, act)
    expect(events).toHaveLength(3)
  })

  it.each<[string, Watch, () => Promise<unknown>]>([
    ['blocks', (client, onBlock) => client.watchBlocks({ onBlock }), () => stage.mine()],
    ['logs', (client, onLogs) => client.watchEvent({ address: token, event: TRANSFER, onLogs }), () => transferred()],
  ])('%s, by polling', async (_, watch, act) => {
    const events = await stage.bothHear(async (place, hear) => watch(clientOf(place), hear), act)
    expect(events).toHaveLength(3)
  })
})

type Watch = (client: PublicClient, hear: (event: unknown) => void) => () => void

type Filters = Awaited<ReturnType<typeof filtersAt>>

async function filtersAt(client: PublicClient) {
  const blocks = await client.createBlockFilter()
  const events = await client.createEventFilter({ address: token, event: TRANSFER })
  const all = await client.createEventFilter({ address: token, event: TRANSFER, fromBlock: 0n })
  return {
    changes: async () => [await client.getFilterChanges({ filter: blocks }), await client.getFilterChanges({ filter: events })],
    logs: async () => [await client.getFilterLogs({ filter: events }), await client.getFilterLogs({ filter: all })],
    uninstall: async () => [await client.uninstallFilter({ filter: blocks }), await client.uninstallFilter({ filter: events })],
  }
}

async function transferred() {
  await stage.transfer(accounts[1], 1n)
  await stage.mine()
}

function transferOf(to: Hex, amount: bigint) {
  return { abi: ABI, address: token, functionName: 'transfer', args: [to, amount] } as const
}

function balanceOf(client: PublicClient, account: Hex) {
  return client.readContract({ abi: ABI, address: token, functionName: 'balanceOf', args: [account] })
}

/** A token of which nothing is but one byte of code: STOP. */
function overridden() {
  return { stateOverride: [{ address: token, code: '0x00' as Hex }] }
}

async function simulate(client: PublicClient, amount: bigint) {
  const { result } = await client.simulateContract({ ...transferOf(accounts[2], amount), account: accounts[1] })
  return result
}
