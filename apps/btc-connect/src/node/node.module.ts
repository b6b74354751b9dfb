import { Module } from '@nestjs/common'
import { ErrorTranslators } from '@trestle/runtime/error-translators'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { BlockSource } from './block-source.js'
import { NodeCapabilities } from './capabilities.service.js'
import { NodeClient } from './node.client.js'
import { NodeBlocks } from './node-blocks.client.js'
import { NodeEvents } from './node-events.service.js'
import { nodeProblem } from './node-problem.js'

/** The chain's node: questions, blocks, and being woken by it. */
@Module({
  providers: [NodeClient, NodeCapabilities, NodeEvents, NodeBlocks, { provide: BlockSource, useExisting: NodeBlocks }],
  exports: [NodeClient, NodeCapabilities, NodeEvents, NodeBlocks, BlockSource],
})
export class NodeModule {
  constructor(node: NodeClient, lifecycle: Lifecycle, translators: ErrorTranslators) {
    lifecycle.onClose(() => node.close())
    translators.add(nodeProblem)
  }
}
