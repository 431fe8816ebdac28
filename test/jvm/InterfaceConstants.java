/**
 * A field is named by an interface that has no code, and inherits it: fsck needs the class file of that interface too.
 */
// expect: PUT_STATIC_FIELD InterfaceConstants$Limits.<clinit>* value 3 *name=LOW;owner=InterfaceConstants$Limits
// expect: GET_STATIC_FIELD InterfaceConstants.main* value 3 *name=LOW;owner=InterfaceConstants$Narrow
// agent: weave=ALL
public class InterfaceConstants {
    interface Limits { int LOW = Integer.parseInt("3"); }
    interface Narrow extends Limits { }

    public static void main(String[] args) {
        System.out.println(Narrow.LOW);
    }
}
