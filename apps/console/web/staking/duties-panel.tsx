import { Card, Stack, Text, Title } from '@mantine/core'
import { count } from '../parts/amount.js'
import { Strip } from '../parts/chart/strip.js'
import { Facts } from '../parts/facts.js'
import { Loaded } from '../parts/loaded.js'
import { staking } from '../texts/staking.js'
import { type Counted, DUTIES, dutiesOf, stateOf } from './duties.js'
import type { CoursePiece, CourseQuery } from './use-course.js'

const texts = staking.duties

/** What it had to do, and did not. */
export function Duties({ query }: { query: CourseQuery }) {
  return (
    <Card withBorder p="lg" component="section" aria-label={texts.title}>
      <Stack>
        <Title order={2} size="h4">
          {texts.title}
        </Title>
        <Loaded query={query} rows={4}>
          {(pieces) => <Done pieces={pieces} />}
        </Loaded>
        <Text size="xs" c="dimmed">
          {texts.hint}
        </Text>
      </Stack>
    </Card>
  )
}

function Done({ pieces }: { pieces: readonly CoursePiece[] }) {
  const days = pieces.flatMap((piece) => piece.days)
  return (
    <>
      <Facts columns={3} facts={DUTIES.map((duty) => [texts.missed[duty], said(dutiesOf(days, duty))])} />
      <Strip
        title={texts.strip}
        labels={pieces.map(({ label }) => label)}
        states={texts.states}
        rows={DUTIES.map((duty) => ({
          name: texts.names[duty],
          cells: pieces.map((piece) => {
            const counted = dutiesOf(piece.days, duty)
            return { state: stateOf(counted), text: said(counted) }
          }),
        }))}
      />
    </>
  )
}

function said(counted: Counted | undefined): string {
  if (counted === undefined) return texts.unknown
  return counted.due === 0 ? texts.nothing : texts.of(count(counted.missed), count(counted.due))
}
