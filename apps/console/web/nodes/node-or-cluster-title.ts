import { nodesTexts } from '../texts/nodes.js'
import type { NodeOrCluster } from './workload.js'

/** A cluster has a name; a node is called by its chain. */
export function nodeOrClusterTitle(workload: NodeOrCluster): string {
  return 'name' in workload ? workload.name : nodesTexts.titleOf(workload.chain, workload.network)
}
