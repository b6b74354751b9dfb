import type { ServerResponse } from 'node:http'
import { SLOTS_PER_EPOCH } from '@lodestar/params'
import { formatHex } from '@trestle/ethereum/hex'
import type { FastifyInstance } from 'fastify'
import type { BeaconChain } from './beacon-chain.js'
import { ApiError, queryList } from './http.js'

const TOPICS = ['head', 'finalized_checkpoint']

/** /eth/v1/events. */
export class BeaconEvents {
  private readonly listeners = new Map<ServerResponse, readonly string[]>()
  private finalizedEpoch = 0
  private headSlot = 0

  register(server: FastifyInstance): void {
    server.get('/eth/v1/events', (request, reply) => {
      const topics = queryList(request, 'topics')
      const unknown = topics.find((topic) => !TOPICS.includes(topic))
      if (topics.length === 0 || unknown) throw new ApiError(400, `There is no topic ${unknown ?? ''}.`)
      reply.hijack()
      reply.raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' }).flushHeaders()
      this.listeners.set(reply.raw, topics)
      reply.raw.on('close', () => this.listeners.delete(reply.raw))
    })
  }

  /** Call it after each slot. */
  publish(chain: BeaconChain): void {
    const { finalizedCheckpoint } = chain.head
    if (chain.slotOfHeadBlock > this.headSlot) this.send('head', headOf(chain))
    if (finalizedCheckpoint.epoch > this.finalizedEpoch) this.send('finalized_checkpoint', finalizedOf(chain))
    this.headSlot = chain.slotOfHeadBlock
    this.finalizedEpoch = finalizedCheckpoint.epoch
  }

  close(): void {
    for (const response of this.listeners.keys()) response.end()
  }

  private send(topic: string, data: object) {
    for (const [response, topics] of this.listeners)
      if (topics.includes(topic)) response.write(`event: ${topic}\ndata: ${JSON.stringify(data)}\n\n`)
  }
}

function headOf({ head, history, slotOfHeadBlock: slot }: BeaconChain) {
  return {
    slot: String(slot),
    block: history.block(slot)?.root,
    state: formatHex(head.hashTreeRoot()),
    epoch_transition: slot % SLOTS_PER_EPOCH === 0,
    execution_optimistic: false,
  }
}

function finalizedOf({ head, history }: BeaconChain) {
  const { epoch, root } = head.finalizedCheckpoint
  const state = history.state(epoch * SLOTS_PER_EPOCH)?.hashTreeRoot()
  return { block: formatHex(root), ...(state && { state: formatHex(state) }), epoch: String(epoch), execution_optimistic: false }
}
