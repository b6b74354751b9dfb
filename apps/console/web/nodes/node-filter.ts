import type { Node } from '@trestle/contracts/nodes/nodes'
import { nodesTexts } from '../texts/nodes.js'

type Searched = Pick<Node, 'id' | 'chain' | 'network' | 'phase'> & { readonly serviceData: Pick<Node['serviceData'], 'software'> }

/** The nodes in which every word of the search occurs. */
export function filterNodes<N extends Searched>(nodes: readonly N[], search: string): N[] {
  const words = search.toLowerCase().split(/\s+/)
  return nodes.filter((node) => words.every((word) => searchText(node).includes(word)))
}

function searchText({ id, chain, network, serviceData, phase }: Searched): string {
  return `${id} ${nodesTexts.titleOf(chain, network)} ${chain} ${serviceData.software} ${nodesTexts.phases[phase].label}`.toLowerCase()
}
