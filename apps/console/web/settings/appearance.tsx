import { SegmentedControl, Stack, useMantineColorScheme } from '@mantine/core'
import { Panel } from '../parts/panel.js'
import { settingsTexts as texts } from '../texts/settings.js'

const SCHEMES = ['auto', 'light', 'dark'] as const

export function AppearanceSection() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Panel title={texts.sections.appearance}>
      <Stack align="flex-start">
        <SegmentedControl
          aria-label={texts.scheme}
          data={SCHEMES.map((value) => ({ value, label: texts.schemes[value] }))}
          value={colorScheme}
          onChange={setColorScheme}
        />
      </Stack>
    </Panel>
  )
}
