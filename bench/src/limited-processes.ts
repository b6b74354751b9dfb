import { join } from 'node:path'
import { connect } from '@nats-io/transport-node'
import { computeUnitsSpent } from '@trestle/contracts/eth-rpc/messages'
import { WORKSPACE } from '@trestle/devnet/workspace'
import { Broadcasts } from '@trestle/messaging/broadcasts'
import { Clock } from '@trestle/runtime/clock'
import { createLogger } from '@trestle/runtime/logger'

// Some of the processes of a deployment under one limit, with the reports of the built app; what each is asked for follows from its number and the time.
// node limited-processes.ts <settings as JSON>; prints what it admitted between two moments.

export interface LimitedProcesses {
  readonly server: { readonly servers: string; readonly user: string; readonly pass: string }
  readonly load: 'even' | 'skewed' | 'moving'
  /** Of all; these are from the first number on, below the last. */
  readonly processes: number
  readonly from: number
  readonly to: number
  readonly perSecond: number
  readonly cost: number
  /** Epoch milliseconds. */
  readonly measuredFrom: number
  readonly measuredTo: number
}

export interface LimitedFigures {
  readonly admitted: number
  readonly cpuSeconds: number
  readonly bytesIn: number
  readonly bytesOut: number
  readonly reportsIn: number
}

const TICK_MS = 10
const OVERLOAD = 1.5
const SKEW = 0.8

const given = JSON.parse(process.argv[2] ?? '{}') as LimitedProcesses
const of = async (path: string) => import(join(WORKSPACE, 'apps/eth-rpc/dist', path))
const { LimitsService } = await of('limits/limits.service.js')
const { GossipJob } = await of('limits/gossip.job.js')

const client = await connect(given.server)
const lifecycle = { onDrain: () => undefined }
const connection = { client, service: 'eth', onFirstConnected: (listener: (connected: unknown) => void) => listener(client) }
// biome-ignore lint/suspicious/noExplicitAny: stands in for what Nest would make.
const wire = new Broadcasts(connection as any, createLogger('limited', 'warn'), lifecycle as any)
const listeners: ((payload: unknown) => void)[] = []
let reportsIn = 0
// Several processes in one: each report is read once, and given to all.
wire.subscribe(computeUnitsSpent, (payload) => {
  reportsIn++
  for (const listener of listeners) listener(payload)
})
const shared = {
  publish: (broadcast: typeof computeUnitsSpent, payload: never) => wire.publish(broadcast, payload),
  subscribe: (_: unknown, listener: (payload: unknown) => void) => listeners.push(listener),
}

const all = Array.from({ length: given.to - given.from }, (_, index) => {
  const limits = new LimitsService(new Clock())
  new GossipJob(limits, shared, lifecycle).onApplicationBootstrap()
  return { index: given.from + index, limits, owed: Math.random() }
})
const project = { serial: 1, limits: { perSecond: given.perSecond, perDay: Number.MAX_SAFE_INTEGER } }

let figures: { admitted: number; cpu: NodeJS.CpuUsage; in: number; out: number; reports: number } | undefined
let last = Date.now()
setInterval(() => {
  const now = Date.now()
  const seconds = (now - last) / 1000
  last = now
  let units = 0
  for (const each of all) {
    each.owed += demandOf(each.index, now) * seconds
    for (; each.owed >= 1; each.owed--) if (!each.limits.take(project, given.cost)) units += given.cost
  }
  if (now >= given.measuredFrom) figures ??= { admitted: 0, ...stateOf() }
  if (figures) figures.admitted += units
  if (now >= given.measuredTo) end()
}, TICK_MS)

/** Calls a second. */
function demandOf(index: number, now: number): number {
  const calls = (given.perSecond / given.cost) * OVERLOAD
  if (given.load === 'even' || given.processes === 1) return calls / given.processes
  const hot = given.load === 'moving' ? Math.floor(now / 1000) % given.processes : 0
  return index === hot ? calls * SKEW : (calls * (1 - SKEW)) / (given.processes - 1)
}

function stateOf() {
  const { inBytes, outBytes } = client.stats()
  return { cpu: process.cpuUsage(), in: inBytes, out: outBytes, reports: reportsIn }
}

function end(): void {
  if (!figures) return
  const now = stateOf()
  const cpuSeconds = (now.cpu.user + now.cpu.system - figures.cpu.user - figures.cpu.system) / 1e6
  const { admitted } = figures
  const bytes = { bytesIn: now.in - figures.in, bytesOut: now.out - figures.out, reportsIn: now.reports - figures.reports }
  console.log(JSON.stringify({ admitted, cpuSeconds, ...bytes } satisfies LimitedFigures))
  process.exit(0)
}
