import { type Block, workOf } from '@trestle/bitcoin/block'
import type { ChainRules } from '@trestle/bitcoin/chain-rules'
import { isUnspendable, ownerScriptOf } from '@trestle/bitcoin/script'

interface Output {
  readonly txId: number
  readonly vout: number
  readonly value: bigint
  readonly owner: string
  spentTxId: number | null
  spentVin: number | null
}

interface Owner {
  received: bigint
  sent: bigint
  readonly history: number[]
  unspent: number
}

/** What an index of these blocks says: the slow and obvious way. */
export function naiveIndex(chain: readonly Block[], { overwrittenCoinbases }: ChainRules, startHeight = 0) {
  const blocks: unknown[] = []
  const transactions: unknown[] = []
  const raw: unknown[] = []
  const ownScripts: unknown[] = []
  const outputs: Output[] = []
  const unspent = new Map<string, Output>()
  const owners = new Map<string, Owner>()
  const undo: Record<number, string[]> = {}
  let txId = 0
  let work = 0n

  const touch = (owner: string): Owner => {
    const known = owners.get(owner) ?? { received: 0n, sent: 0n, history: [], unspent: 0 }
    owners.set(owner, known)
    if (known.history.at(-1) !== txId) known.history.push(txId)
    return known
  }

  for (const [height, block] of chain.entries()) {
    work += workOf(block.header.bits)
    if (height < startHeight) continue
    const [first] = block.transactions
    const payout = first!.outputs.reduce((best, output) => (output.value > best.value ? output : best))
    blocks.push({
      height,
      hash: block.header.hash.toString('hex'),
      header: block.header.raw.toString('hex'),
      time: block.header.time,
      size: block.raw.length,
      tx_count: block.transactions.length,
      first_tx_id: txId,
      chainwork: work.toString(16).padStart(64, '0'),
      coinbase: first!.inputs[0]!.script.toString('hex'),
      payout_script: payout.script.toString('hex'),
    })
    undo[height] = []
    for (const { txid, raw: bytes, inputs, outputs: paid, isCoinbase } of block.transactions) {
      const id = txid.toString('hex')
      transactions.push({ tx_id: txId, txid: id, height })
      raw.push({ tx_id: txId, raw: bytes.toString('hex') })
      for (const [vin, input] of isCoinbase ? [] : inputs.entries()) {
        const outpoint = `${input.txid.toString('hex')}:${input.vout}`
        const spent = unspent.get(outpoint)
        if (!spent) continue
        unspent.delete(outpoint)
        undo[height]!.push(`${spent.txId}:${spent.vout}`)
        Object.assign(spent, { spentTxId: txId, spentVin: vin })
        const owner = touch(spent.owner)
        owner.sent += spent.value
        owner.unspent -= 1
      }
      const isLost = isCoinbase && (height === 0 || overwrittenCoinbases.some((one) => one.height === height && one.txid === id))
      for (const [vout, { value, script }] of isLost ? [] : paid.entries()) {
        if (isUnspendable(script)) continue
        const owner = ownerScriptOf(script).toString('hex')
        if (owner !== script.toString('hex')) ownScripts.push({ tx_id: txId, vout, script: script.toString('hex') })
        const output = { txId, vout, value, owner, spentTxId: null, spentVin: null }
        outputs.push(output)
        unspent.set(`${id}:${vout}`, output)
        const known = touch(owner)
        known.received += value
        known.unspent += 1
      }
      txId++
    }
  }

  const sorted = [...owners].sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    index: {
      block: blocks,
      tx: transactions,
      tx_raw: raw,
      own_script: ownScripts,
      txo: outputs.map((output) => ({
        tx_id: output.txId,
        vout: output.vout,
        value: String(output.value),
        script: output.owner,
        spent_tx_id: output.spentTxId,
        spent_vin: output.spentVin,
      })),
      script: sorted.map(([script, { received, sent, history, unspent }]) => ({
        script,
        received: String(received),
        sent: String(sent),
        tx_count: history.length,
        utxo_count: unspent,
      })),
      script_tx: sorted.flatMap(([script, { history }]) => history.map((tx_id, pos) => ({ script, pos, tx_id }))),
    },
    undo: Object.fromEntries(Object.entries(undo).map(([height, spent]) => [height, spent.sort()])),
  }
}
