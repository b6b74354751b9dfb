import { type MantineColorScheme, SegmentedControl, Stack, useMantineColorScheme } from '@mantine/core'
import { settings as texts } from '../texts/settings.js'
import { Section } from './section.js'

const SCHEMES = ['auto', 'light', 'dark'] as const

export function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Section title={texts.sections.appearance}>
      <Stack align="flex-start">
        <SegmentedControl
          aria-label={texts.scheme}
          data={SCHEMES.map((value) => ({ value, label: texts.schemes[value] }))}
          value={colorScheme}
          onChange={(value) => setColorScheme(value as MantineColorScheme)}
        />
      </Stack>
    </Section>
  )
}
