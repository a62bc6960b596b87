/** The overall protection of a side as a grade: how far apart the sides are, not why. */
import { NAME, type Rule, weakerSide } from '../rule.js';
import { gradeDistance, type SecurityGrade, securityGrade } from '../security-grade.js';

export const securityGradeDrift: Rule = {
  code: 'SECURITY_GRADE_DRIFT',
  version: 2,
  title: 'The security grade is lower',
  about:
    'Each side gets a grade from its policies, HSTS, framing, sniffing, referrer, cookie and CORS settings. A grade one letter lower is a warning, two or more are critical.',
  recommendation:
    'Work through the findings about individual headers; the evidence lists where the weaker side lost points.',
  inputs: ['headers.extended', 'cookies'],
  compare(left, right) {
    const a = securityGrade(left);
    const b = securityGrade(right);
    const distance = gradeDistance(a, b);
    if (distance === 0) return undefined;
    const weaker = distance > 0 ? 'right' : 'left';
    return {
      section: 'headers',
      key: 'grade',
      left: formatGrade(a),
      right: formatGrade(b),
      severity: Math.abs(distance) >= 2 ? 'critical' : 'warn',
      direction: weakerSide(weaker),
      message: `The security grade is ${a.letter} on ${NAME.left} and ${b.letter} on ${NAME.right}`,
      kind: `${a.letter} ${b.letter}`,
    };
  },
};

function formatGrade({ letter, points, losses }: SecurityGrade): readonly string[] {
  return [`${letter} (${points})`, ...losses];
}
