import { Checkbox, Group, SegmentedControl } from '@mantine/core'
import { may } from '../accounts/roles.js'
import { useChosenOrganization } from '../platform/use-organizations.js'
import { activityTexts as texts } from '../texts/activity.js'
import { type ActivitySource, OWN_ACTIVITY } from './use-activity.js'

interface SourceProps {
  source: ActivitySource
  onChange: (source: ActivitySource) => void
}

/** The user's own activity, or that of the organization that the pages are about; nothing where there is no choice. */
export function ActivitySourceChoice({ source, onChange }: SourceProps) {
  const chosen = useChosenOrganization()
  if (!chosen || chosen.personal || !may(chosen, 'activity:read')) return null
  const ofOrganization = { of: 'organization', id: chosen.id, changes: true } as const
  return (
    <Group>
      <SegmentedControl
        aria-label={texts.of}
        value={source.of}
        onChange={(of) => onChange(of === 'own' ? OWN_ACTIVITY : ofOrganization)}
        data={[
          { value: 'own', label: texts.own },
          { value: 'organization', label: chosen.name },
        ]}
      />
      {source.of === 'organization' && (
        <Checkbox
          label={texts.onlyChanges}
          description={texts.onlyChangesHint}
          checked={source.changes}
          onChange={(event) => onChange({ ...source, changes: event.currentTarget.checked })}
        />
      )}
    </Group>
  )
}
