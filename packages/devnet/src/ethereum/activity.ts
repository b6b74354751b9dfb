import type { EthereumRpc } from './ethereum-rpc.js'
import { blockAt } from './follower.js'
import { TOKEN_CREATION, transferOf } from './token.js'

/** Where the token is: the first contract of the last of anvil's ten accounts. */
export const TOKEN_ADDRESS = '0x700b6a60ce7eaaea56f065753d8dcb9653dbad35'
const ETHER = 10n ** 18n
// The first three accounts are left to people: nothing of theirs changes by itself.
const FIRST_PLAYER = 3

/** Puts what happens by itself into the next block: a payment, or one in tokens, each from one account to another; in some blocks nothing. */
export async function addActivity(node: EthereumRpc): Promise<void> {
  const [accounts, latest] = await Promise.all([node.call<string[]>('eth_accounts'), blockAt(node, 'latest')])
  const players = accounts.slice(FIRST_PLAYER)
  const turn = Number(latest?.number)
  const bank = players.at(-1) ?? ''
  const player = (n: number) => players[n % (players.length - 1)] ?? ''
  const fee = await feeAt(node)
  const send = (transaction: object) => node.call('eth_sendTransaction', { ...fee, ...transaction })
  const code = await node.call<string>('eth_getCode', TOKEN_ADDRESS, 'latest')
  if (code === '0x') await send({ from: bank, data: TOKEN_CREATION, gas: hex(500_000n) })
  else if (turn % 4 === 1) await send({ from: bank, to: TOKEN_ADDRESS, data: transferOf(player(turn), 100n * ETHER), gas: hex(100_000n) })
  if (turn % 4 === 2) await send({ from: player(turn), to: player(turn + 1), value: hex(ETHER / 100n), gas: hex(21_000n) })
  if (turn % 8 === 3) await send({ from: player(turn - 2), to: TOKEN_ADDRESS, data: transferOf(player(turn), ETHER), gas: hex(100_000n) })
}

/** What a transaction has to say of its fee for anvil to sign it: nothing, but where there is no base fee (EIP-1559). */
export async function feeAt(node: EthereumRpc): Promise<{ gasPrice?: string }> {
  const latest = await blockAt(node, 'latest')
  return latest?.baseFeePerGas === undefined ? { gasPrice: await node.call<string>('eth_gasPrice') } : {}
}

function hex(number: bigint): string {
  return `0x${number.toString(16)}`
}
