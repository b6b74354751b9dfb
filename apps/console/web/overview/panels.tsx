import { SimpleGrid } from '@mantine/core'
import { AttentionPanel } from './attention-panel.js'
import { FirstSteps } from './first-steps.js'
import { PlatformHealth } from './platform-health.js'
import { RunningCounts } from './running-counts.js'
import { UsagePanel } from './usage-panel.js'

/** The panels of the overview. Each loads its own data, so that one failure leaves the others. */
export default function Panels() {
  return (
    <>
      <RunningCounts />
      <FirstSteps />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <AttentionPanel />
        <PlatformHealth />
      </SimpleGrid>
      <UsagePanel />
    </>
  )
}
