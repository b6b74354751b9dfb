import { Box, SimpleGrid, Text } from '@mantine/core'
import type { ReactNode } from 'react'

interface FactsProps {
  /** What it is, and its value; what is false or undefined is left out. */
  facts: readonly (readonly [label: string, value: ReactNode] | false | undefined)[]
  columns?: number
}

/** A list of names and values. */
export function FactList({ facts, columns = 2 }: FactsProps) {
  return (
    <SimpleGrid component="dl" cols={{ base: 1, sm: columns }} spacing="lg" verticalSpacing="xs" m={0}>
      {facts
        .filter((fact) => fact !== false && fact !== undefined)
        .map(([label, value]) => (
          <Box key={label} style={{ minWidth: 0 }}>
            <Text component="dt" size="sm" c="dimmed">
              {label}
            </Text>
            <Box component="dd" m={0} style={{ overflowWrap: 'anywhere' }}>
              {value}
            </Box>
          </Box>
        ))}
    </SimpleGrid>
  )
}
