import { Injectable, type OnApplicationShutdown } from '@nestjs/common'
import { codeOf } from '@trestle/problem/thrown'
import { Agent, type Dispatcher } from 'undici'
import { z } from 'zod'
import { type Blueprint, familyOf } from '../catalogue/blueprint.js'
import { rpcPathOf } from './evm.js'
import { notReadyResult, type ProbeCall, type ProbeResult, probeCallsFor, probeResultOf } from './probe-result.js'
import { isPrivateChain, MACHINE_USER } from './program-setup.js'

interface HostPort {
  readonly host: string
  readonly port: number
}

export interface ProbedMachine {
  readonly blueprint: Blueprint
  readonly password: string
  readonly address: HostPort
}

/** The program did not answer, or not with a valid answer; the message is for people. */
export class ProbeFailed extends Error {
  override readonly name = 'ProbeFailed'
}

const TIMEOUT_MS = 5_000
const MAX_BYTES = 1024 * 1024
/** RPC_IN_WARMUP of the Bitcoin family. */
const WARMING_UP = -28

const RpcError = z.object({ code: z.number(), message: z.string().transform((message) => message.slice(0, 200)) })
const Reply = z.object({ id: z.int().nullish(), result: z.unknown().optional(), error: RpcError.nullish() })
/** One error may answer the whole batch. */
const Replies = z.union([z.array(Reply), z.object({ error: RpcError, result: z.unknown().optional() })])
type Reply = Pick<z.output<typeof Reply>, 'result' | 'error'>
const Added = z.array(z.object({ addednode: z.string(), connected: z.boolean() }))

/** Asks machines for their status. */
@Injectable()
export class ProbeClient implements OnApplicationShutdown {
  private readonly agent = new Agent({ connect: { timeout: TIMEOUT_MS } })

  /** Rejects with `ProbeFailed`. */
  async probe(machine: ProbedMachine): Promise<ProbeResult> {
    const calls = probeCallsFor(machine.blueprint)
    const replies = await this.call(machine, calls)
    const warming = replies.find(({ error }) => error?.code === WARMING_UP)
    if (warming?.error) return notReadyResult(warming.error.message)
    return parsed(machine, () =>
      probeResultOf(
        machine.blueprint,
        calls.map((call, i) => resultOf(machine, call, replies[i])),
      ),
    )
  }

  /** Makes these machines, and no others, the peers of one on a private chain, so that a cluster follows one chain. */
  async connectPeers(machine: ProbedMachine, peers: readonly HostPort[]): Promise<void> {
    if (familyOf(machine.blueprint) !== 'bitcoin' || !isPrivateChain(machine.blueprint)) return
    const desired = new Set(peers.map(({ host, port }) => `${host}:${port}`))
    const list = { method: 'getaddednodeinfo' }
    const [reply] = await this.call(machine, [list])
    const added = parsed(machine, () => Added.parse(resultOf(machine, list, reply)))
    const known = new Set(added.map(({ addednode }) => addednode))
    const away = added.filter(({ addednode, connected }) => !connected && desired.has(addednode))
    const changes = [
      ...[...desired].filter((peer) => !known.has(peer)).map((peer) => ({ method: 'addnode', params: [peer, 'add'] })),
      ...[...known].filter((peer) => !desired.has(peer)).map((peer) => ({ method: 'addnode', params: [peer, 'remove'] })),
      // By itself a node tries again after a minute.
      ...away.map(({ addednode }) => ({ method: 'addnode', params: [addednode, 'onetry'] })),
    ]
    // An error means only that another reconciler did the same meanwhile.
    if (changes.length > 0) await this.call(machine, changes)
  }

  onApplicationShutdown(): Promise<void> {
    return this.agent.destroy()
  }

  /** The replies in the order of the calls. */
  private async call(machine: ProbedMachine, calls: readonly (ProbeCall & { params?: readonly unknown[] })[]): Promise<Reply[]> {
    const jsonrpc = familyOf(machine.blueprint) === 'bitcoin' ? '1.0' : '2.0'
    const body = JSON.stringify(calls.map(({ method, params = [] }, id) => ({ jsonrpc, id, method, params })))
    const { status, text } = await this.send(machine, body)
    const { daemon } = machine.blueprint
    if (status === 401 || status === 403) throw new ProbeFailed(`${daemon} rejects the gateway's password.`)
    const replies = Replies.safeParse(jsonOf(text))
    if (!replies.success)
      throw new ProbeFailed(`${daemon} answered with status ${status} and ${text ? 'no valid JSON-RPC' : 'an empty body'}.`)
    return calls.map((_, i) => {
      const { data } = replies
      const reply = Array.isArray(data) ? data.find(({ id }) => id === i) : data
      if (!reply) throw new ProbeFailed(`${daemon} did not answer every call.`)
      return reply
    })
  }

  private async send({ blueprint, password, address }: ProbedMachine, body: string) {
    const { daemon } = blueprint
    const path = rpcPathOf(blueprint, password)
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const headers = {
      'content-type': 'application/json',
      authorization: `Basic ${Buffer.from(`${MACHINE_USER}:${password}`).toString('base64')}`,
    }
    const origin = `http://${address.host.includes(':') ? `[${address.host}]` : address.host}:${address.port}`
    try {
      // `reset`: litecoind does not stop before its last connection is closed.
      const answer = await this.agent.request({ origin, path, method: 'POST', headers, body, signal, reset: true })
      return { status: answer.statusCode, text: await readBounded(answer.body, daemon) }
    } catch (error) {
      if (error instanceof ProbeFailed) throw error
      if (signal.aborted) throw new ProbeFailed(`${daemon} did not answer within ${TIMEOUT_MS / 1000} s.`)
      throw new ProbeFailed(`${daemon} cannot be reached: ${reasonOf(error)}.`)
    }
  }
}

function resultOf({ blueprint }: ProbedMachine, { method, optional }: ProbeCall, reply: Reply | undefined): unknown {
  if (!reply?.error) return reply?.result
  if (optional) return undefined
  throw new ProbeFailed(`${blueprint.daemon} refused ${method}: ${reply.error.message} (${reply.error.code}).`)
}

function parsed<T>({ blueprint }: ProbedMachine, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error
    const [issue] = error.issues
    throw new ProbeFailed(`${blueprint.daemon} sent an invalid answer: ${issue?.path.join('.')}: ${issue?.message}.`)
  }
}

async function readBounded(body: Dispatcher.ResponseData['body'], daemon: string): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > MAX_BYTES) throw new ProbeFailed(`${daemon} sent more than ${MAX_BYTES} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size).toString()
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

// The error itself may contain the request, and with it the password.
function reasonOf(error: unknown): string {
  return codeOf(error) ?? 'the connection failed'
}
