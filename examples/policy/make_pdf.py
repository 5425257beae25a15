"""Writes home-policy.pdf, beside this script. The result is committed; nothing needs to run this.

The text layer holds what makes quoting from real PDFs hard: ligature characters (U+FB01,
U+FB02), words broken by a hyphen at a line end, curly quotes, page headers and footers.
Needs `pip install reportlab`; the fonts it embeds (Bitstream Vera) come with it. The same
version of reportlab writes the same bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from reportlab.lib.pagesizes import A4
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

TITLE = "Larkfield Mutual Home Policy"
FORM = "Larkfield Mutual · Home Policy LM-HP 04/25"
WIDTH = 308
LEFT, TOP, BOTTOM = (A4[0] - WIDTH) / 2, A4[1] - 84, 66


@dataclass(frozen=True)
class Style:
    """How a kind of paragraph is set; all lengths in points."""

    font: str
    size: float
    leading: float
    before: float
    indent: float = 0

    def fits(self, line: str) -> bool:
        wide = pdfmetrics.stringWidth(ligatures(line), self.font, self.size)
        return wide <= WIDTH - self.indent


# By what a paragraph begins with; the last is any other.
STYLES = {
    "= ": Style("VeraBd", 20, 26, 0),
    "# ": Style("VeraBd", 12, 16, 16),
    "- ": Style("Vera", 9.5, 13.5, 2, indent=14),
    "": Style("Vera", 9.5, 13.5, 6),
}

# Paragraphs are parted by a blank line, pages by %%.
POLICY = """
= Home Policy

Policy booklet LM-HP 04/25, in force from 1 April 2025.

# 1. What this policy is

This booklet, your schedule and your certificate are one contract between you and Larkfield
Mutual Insurance Society Limited (“Larkfield”, “we”, “us”). The schedule names the home, the
sums insured and the period of insurance. Where the schedule and this booklet differ, the
schedule applies.

The period of insurance is twelve months from the date shown in the schedule. The policy doesn’t
renew by itself: we will write to you at least 21 days before it ends, and it continues only if
you pay the new premium.

# 2. Words with a fixed meaning

“Home” means the private flat or house at the address in the schedule, with its garages and
outbuildings, used for living only.

“Contents” means household goods, furniture, clothing and personal effects that belong to you or
to a member of your household, or for which you are responsible under a tenancy.

“Excess” means the first part of every claim, which you pay yourself. If two sections apply to
the same event, only the higher excess is taken off.

“Unoccupied” means that nobody has stayed in the home overnight for more than 30 consecutive
days.

“Valuables” means jewellery, watches, works of art, stamps and coins. No single item of
valuables is insured for more than £2,500 unless it is specified in the schedule.

%%

# 3. Escape of water

3.1 Water damage from a burst pipe is covered up to £50,000 for any one event. The same limit
applies to water that escapes from a fixed tank, a fixed heating system or a household
appliance.

3.2 The excess for escape of water is £350. The excess rises to £750 for the second and every
later claim under this section within 24 months.

3.3 If a pipe bursts, we also pay up to £5,000 for finding the leak and making good the floors
and walls that had to be opened. The cost of repairing the pipe itself is not covered.

3.4 We do not pay under this section for:

- (a) damage that happens gradually, such as from a seal that has worn out;

- (b) damage while the home is unoccupied, unless the water was turned off at the main stopcock
and the heating system was drained;

- (c) damage caused by flood, which section 5 deals with;

- (d) the cost of the water that was lost.

3.5 Between 1 November and 31 March you must either keep the home heated to at least 12 °C or
turn off and drain the water supply. If you do neither, we may reduce the payment for frost
damage by half.

# 4. Fire, smoke and explosion

4.1 Fire, lightning, explosion and smoke that starts suddenly are covered up to the sum insured
for contents. The excess for fire is £200.

4.2 Scorching without flames, such as from an iron or a cigarette, is covered up to £500 for
each event.

4.3 At least one working smoke alarm must be fitted on every floor of the home. We don’t refuse
a claim only because a battery was flat if the alarm had been tested within the 6 months before
the fire.

%%

# 5. Flood and storm

5.1 Flood means water that comes into the home from outside at or above ground level. Flood
damage is covered up to £25,000 for any one event, with an excess of £1,000.

5.2 Flood is not covered during the first 14 days of the policy, unless this policy replaces
another one without a gap.

5.3 Storm means wind of at least 55 mph (88 km/h) or hail that breaks glass. Damage to fences,
gates and hedges is never covered.

# 6. Theft

6.1 Theft from the home is covered up to the sum insured for contents if there are signs of
forced entry or exit. Cash is covered up to £400.

6.2 A bicycle is covered up to £1,200 in the home. Away from the home it is covered only while
it is locked to a fixed object with a lock of at least 1.5 kg.

6.3 We do not pay for:

- (a) theft while any part of the home is let to somebody outside your household;

- (b) theft from a vehicle between 9 p.m. and 6 a.m.;

- (c) anything that was simply lost or left behind.

6.4 You must report a theft to the police within 48 hours of discovering it and give us the
crime reference number.

# 7. Somewhere else to live

7.1 If an insured event makes the home unfit to live in, we pay the reasonable cost of similar
accommodation for up to 12 months, and no more than £15,000 in all.

7.2 We will also pay up to 20 % of the sum insured for contents that are damaged while they are
moved or stored because of that event.

%%

# 8. What this policy never covers

Whatever any other section says, we do not pay for:

- (a) wear and tear, rot, moths, vermin or damp;

- (b) damage that you or a member of your household caused on purpose;

- (c) property used for a business, except office equipment worth up to £3,000;

- (d) motor vehicles, boats, caravans and aircraft, model aircraft included;

- (e) war, radioactivity and pollution that builds up slowly.

# 9. How to claim

9.1 You must tell us about a loss within 14 days of discovering it. Larkfield’s claims line,
0300 555 0142, is open 24 hours a day, every day of the year.

9.2 You may have emergency repairs done at once, up to £1,500, without asking us first. Keep the
invoice and take photographs before anything is thrown away.

9.3 We must accept or refuse a claim in writing within 20 working days of receiving the
documents we asked for. Payment follows within 5 working days of acceptance.

9.4 Contents are replaced as new. Clothing and household linen that is more than 3 years old is
paid at half the price of new.

9.5 If the sum insured for contents is less than 85 % of the true replacement value, we pay only
the same proportion of the loss.

9.6 Fraud ends the policy. If any part of a claim is knowingly false, we refuse the whole claim
and may recover what we have already paid.

%%

# 10. Ending the policy

10.1 You may cancel within 14 days of receiving this booklet and get the whole premium back,
provided that you have not made a claim.

10.2 After that you may cancel at any time. We refund the premium for the days that remain, less
a fee of £35. There is no refund if a claim has been paid.

10.3 We may cancel by giving you 30 days’ notice in writing, and only for a valid reason: an
unpaid premium, false information, or a change of the home that we would not have insured.

10.4 You must tell us within 30 days if the home becomes unoccupied, is let, or is used for
anything but living. The premium may change from that day on.

# 11. If you are not satisfied

11.1 Write to the Complaints Officer, Larkfield Mutual, 8 Field Lane, Larkfield LK4 2FL. We
confirm a complaint within 5 working days and give our final answer within 8 weeks.

11.2 If you don’t accept the final answer, you may take the complaint to the insurance ombudsman
within 6 months. That doesn’t affect your right to go to court.

# 12. Law

The law of England and Wales applies. The Larkfield Mutual Insurance Society Limited is
registered under number 2077 5R.
"""

# Where a word may be broken at a line end.
BREAKS = """
accept-ance accom-mo-da-tion ap-pli-ance an-other be-comes be-longs
bi-cycle cer-tif-i-cate cloth-ing com-plaint con-firm con-sec-u-tive con-tents
con-tin-ues con-tract cov-ered dam-age dis-cov-er-ing doc-u-ments dur-ing
emer-gency equip-ment ex-cept ex-cess ex-plo-sion find-ing fur-ni-ture grad-u-al-ly
heat-ing house-hold in-cluded in-for-ma-tion in-sur-ance in-sured in-voice
jew-ellery know-ing-ly lim-ited mem-ber nei-ther no-body om-buds-man out-build-ings
over-night pay-ment per-son-al pho-to-graphs pol-icy pol-lu-tion pre-mium prop-er-ty
pro-por-tion pro-vid-ed ra-dio-ac-tiv-ity rea-son-able re-ceiv-ing re-cov-er ref-er-ence
re-fund re-fuse reg-is-tered re-pair-ing re-pairs re-place-ment re-plac-es re-spon-si-ble
sched-ule sec-ond sec-tion sec-tions sim-ply sim-i-lar some-body spec-i-fied stop-cock
sud-den-ly ten-an-cy un-oc-cu-pied valu-ables ve-hi-cle what-ever with-in work-ing writ-ing
"""


def main() -> None:
    for name in ("Vera", "VeraBd"):
        pdfmetrics.registerFont(TTFont(name, f"{name}.ttf"))
    target = Path(__file__).with_name("home-policy.pdf")
    canvas = Canvas(str(target), pagesize=A4, invariant=True, pageCompression=True)
    canvas.setTitle(TITLE)
    canvas.setAuthor("Larkfield Mutual Insurance Society Limited")
    pages = POLICY.split("%%")
    for number, page in enumerate(pages, 1):
        canvas.setFont("Vera", 7.5)
        canvas.drawString(LEFT, A4[1] - 48, ligatures(FORM))
        draw(canvas, page.strip().split("\n\n"))
        canvas.setFont("Vera", 7.5)
        canvas.drawString(LEFT, 42, f"page {number} of {len(pages)}")
        canvas.showPage()
    canvas.save()


def draw(canvas: Canvas, paragraphs: list[str]) -> None:
    y = TOP
    for paragraph in paragraphs:
        mark = next(mark for mark in STYLES if paragraph.startswith(mark))
        style = STYLES[mark]
        y -= style.before
        canvas.setFont(style.font, style.size)
        for line in wrap(paragraph.removeprefix(mark), style):
            canvas.drawString(LEFT + style.indent, y, ligatures(line))
            y -= style.leading
        if y < BOTTOM:
            raise SystemExit(f"the page runs over at {paragraph[:40]!r}")


def wrap(text: str, style: Style) -> list[str]:
    """Lines that fit the style's width; a word that does not is broken where it may be."""
    lines, line = [], ""
    for word in text.split():
        longer = f"{line} {word}".lstrip()
        if style.fits(longer):
            line = longer
        else:
            head, line = broken(line, word, style)
            lines.append(head)
    return [*lines, line]


def broken(line: str, word: str, style: Style) -> tuple[str, str]:
    """The line with as much of the word as fits and a hyphen, and what is left of the word."""
    bare = word.strip("“”().,;:")
    parts = next((w.split("-") for w in BREAKS.split() if w.replace("-", "") == bare.lower()), [])
    at = word.index(bare)
    for count in range(len(parts) - 1, 0, -1):
        cut = at + sum(map(len, parts[:count]))
        if style.fits(head := f"{line} {word[:cut]}-"):
            return head, word[cut:]
    return line, word


def ligatures(text: str) -> str:
    return text.replace("fi", "\ufb01").replace("fl", "\ufb02")


if __name__ == "__main__":
    main()
