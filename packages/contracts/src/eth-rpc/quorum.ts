import { z } from 'zod'
import { MethodPattern } from './method-pattern.js'

/** More are hardly in one deployment, and each costs as much as the call. */
export const MAX_QUORUM_NODES = 7
export const MIN_QUORUM_NODES = 2
/** The header by which a call asks for a quorum, such as 2/3. */
export const QUORUM_HEADER = 'trestle-quorum'

const MAX_METHODS = 30

const nodeCount = z.int().min(MIN_QUORUM_NODES).max(MAX_QUORUM_NODES)

/** How many of how many nodes must give the same answer. */
export interface QuorumSize {
  readonly agreeing: number
  readonly nodes: number
}

/** Of two different answers at most one is that of more than half. */
export function isQuorumSize({ agreeing, nodes }: QuorumSize): boolean {
  return nodes >= MIN_QUORUM_NODES && nodes <= MAX_QUORUM_NODES && agreeing <= nodes && 2 * agreeing > nodes
}

const WRITTEN = /^([1-9])\/([1-9])$/

/** As a header and the command line write it: 2/3. Not a size of any quorum where it is something else. */
export function quorumSizeIn(written: string): QuorumSize {
  const [, agreeing, nodes] = WRITTEN.exec(written) ?? []
  return { agreeing: Number(agreeing), nodes: Number(nodes) }
}

export const Quorum = z
  .object({
    nodes: nodeCount.meta({ description: 'How many nodes are asked. A call costs its compute units as many times.' }),
    agreeing: nodeCount.meta({ description: 'How many of them must give the same answer: more than half.' }),
    methods: z
      .array(MethodPattern)
      .max(MAX_METHODS)
      .default(['eth_*'])
      .meta({ description: 'Methods that are always asked so, among those that can be; empty: only calls that ask for it by the header.' }),
    byHeader: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether calls may ask for a quorum of their own, of at most so many nodes, by the header Trestle-Quorum.' }),
  })
  .refine((quorum) => isQuorumSize(quorum), { path: ['agreeing'], message: 'must be more than half of the nodes, and not more than all' })
  .meta({ id: 'Quorum', description: 'Calls are answered only where so many nodes agree.' })
export type Quorum = z.output<typeof Quorum>
