import { SimpleGrid } from '@mantine/core'
import { AttentionPanel } from './attention-panel.js'
import { FirstSteps } from './first-steps.js'
import { PlatformHealth } from './platform-health.js'
import { RunningCounts } from './running-counts.js'
import { UsagePanel } from './usage-panel.js'

/** The parts of the overview. Each asks for itself, so that one that fails leaves the others. */
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
