import { Badge } from '@mantine/core'
import type { NodePhase } from '@trestle/contracts/nodes/shapes'
import { nodesTexts } from '../texts/nodes.js'

const COLORS: Record<NodePhase, string> = {
  pending: 'blue',
  starting: 'blue',
  syncing: 'blue',
  updating: 'blue',
  ready: 'teal',
  degraded: 'orange',
  failed: 'red',
  stopping: 'gray',
  stopped: 'gray',
  removing: 'gray',
}

export function PhaseBadge({ phase, size }: { phase: NodePhase; size?: 'lg' }) {
  const { label, text } = nodesTexts.phases[phase]
  return (
    <Badge color={COLORS[phase]} variant="dot" title={text} size={size} tt="none" style={{ flexShrink: 0 }}>
      {label}
    </Badge>
  )
}
