import { TOKEN_CREATION, transferOf } from '@trestle/devnet/ethereum/token'
import { eventually } from '@trestle/testing/eventually'
import { createWalletClient, defineChain, http } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { GETH_CHAIN_ID, type RunningGeth } from './geth-node.js'

type Hex = `0x${string}`

const ETHER = 10n ** 18n
const NOBODY: Hex = `0x${'11'.repeat(20)}`
const GAS = 500_000n

export const GETH_CHAIN = defineChain({
  id: GETH_CHAIN_ID,
  name: 'geth --dev',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [] } },
})

/** What there is to ask about. */
export type GethChain = Awaited<ReturnType<typeof makeChain>>

/** An account with a key that the node does not have, and ether from the one that it has. */
export async function fundedAccount({ rpc }: RunningGeth) {
  const account = privateKeyToAccount(generatePrivateKey())
  const [from] = await rpc.call<[Hex]>('eth_accounts')
  // A geth that lost its head asks for less than it wants.
  const fees = { maxFeePerGas: '0x2540be400', maxPriorityFeePerGas: '0x3b9aca00' }
  const hash = await rpc.call<Hex>('eth_sendTransaction', {
    from,
    to: account.address,
    value: `0x${(100n * ETHER).toString(16)}`,
    gas: '0x5208',
    ...fees,
  })
  await receiptOf({ rpc }, hash)
  return account
}

/** Transactions of each type in a block of its own, a token with logs, a call that failed, and one that waits in the pool. */
export async function makeChain(geth: RunningGeth) {
  const account = await fundedAccount(geth)
  const wallet = createWalletClient({ chain: GETH_CHAIN, transport: http(geth.url), account })
  let nonce = 0
  const send = async (transaction: object): Promise<Hex> => {
    const request = { gas: GAS, maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 10n ** 9n, ...transaction, nonce: nonce++ }
    const serializedTransaction = await wallet.signTransaction(request as never)
    // The pool of a geth --dev learns a little later of the block before.
    const sent = () => wallet.sendRawTransaction({ serializedTransaction }).catch(() => undefined)
    const hash = await eventually(sent, 'geth takes the transaction', 10_000)
    await receiptOf(geth, hash)
    return hash
  }
  const priced = { gasPrice: 10n ** 10n, maxFeePerGas: undefined, maxPriorityFeePerGas: undefined }
  const created = await send({ data: TOKEN_CREATION })
  const token = (await receiptOf(geth, created)).contractAddress as Hex
  const transferred = await send({ to: token, data: transferOf(NOBODY, 5n) })
  const legacy = await send({ ...priced, type: 'legacy', to: NOBODY, value: 1n })
  const listed = await send({
    ...priced,
    type: 'eip2930',
    to: token,
    data: transferOf(NOBODY, 7n),
    accessList: [{ address: token, storageKeys: [word(0)] }],
  })
  const failed = await send({ to: token, data: transferOf(NOBODY, 10n ** 40n) })
  const authorization = await wallet.signAuthorization({ contractAddress: token, executor: 'self', nonce: nonce + 1 })
  const delegated = await send({ type: 'eip7702', to: account.address, authorizationList: [authorization] })
  const waiting = await wallet.signTransaction({
    to: NOBODY,
    nonce: nonce + 7,
    gas: 21_000n,
    maxFeePerGas: 10n ** 10n,
    maxPriorityFeePerGas: 1n,
  })
  const queued = await wallet.sendRawTransaction({ serializedTransaction: waiting })
  const block = await geth.rpc.call<{ hash: Hex; number: Hex }>('eth_getBlockByHash', (await receiptOf(geth, transferred)).blockHash, false)
  const head = await geth.rpc.call<{ hash: Hex; number: Hex }>('eth_getBlockByNumber', 'latest', false)
  return {
    account,
    sender: account.address,
    nobody: NOBODY,
    token,
    created,
    transferred,
    legacy,
    listed,
    failed,
    delegated,
    queued,
    waiting,
    block,
    head,
    send,
  }
}

async function receiptOf({ rpc }: Pick<RunningGeth, 'rpc'>, hash: string): Promise<{ blockHash: string; contractAddress?: string }> {
  const found = () => rpc.call<{ blockHash: string; contractAddress?: string } | null>('eth_getTransactionReceipt', hash)
  // geth says so while it indexes.
  return eventually(async () => (await found().catch(() => undefined)) ?? undefined, 'the transaction is in a block')
}

function word(number: number): Hex {
  return `0x${number.toString(16).padStart(64, '0')}`
}
