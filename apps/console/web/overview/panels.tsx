import { SimpleGrid } from '@mantine/core'
import { Attention } from './attention-list.js'
import { FirstSteps } from './first-steps.js'
import { PlatformHealth } from './platform-health.js'
import { Running } from './running.js'
import { UsageOfDay } from './usage-of-day.js'

/** The parts of the overview. Each asks for itself, so that one that fails leaves the others. */
export default function Panels() {
  return (
    <>
      <Running />
      <FirstSteps />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <Attention />
        <PlatformHealth />
      </SimpleGrid>
      <UsageOfDay />
    </>
  )
}
