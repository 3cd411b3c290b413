#include "x.h"
// mode 0: 200 boxes on ONE static body; 1: each its own static body; 2: own kinematic bodies; K kinds; V speeds
int main(int c,char**v){int subs[]={4,12,1};double Hs[]={60,60,60,240,30};int ss[]={4,12,1,4,4};
 for(int md=0;md<3;md++)for(int K=0;K<5;K++)for(int vi=0;vi<3;vi++)for(int m=0;m<5;m++){double V=(double[]){2,6,20}[vi],bump=0,lost=0;for(int s=0;s<6;s++){Q=base;Q.sub=ss[m];Q.hz=Hs[m];seed_=3+s*77;xw();double L=1;int g=xb(md==2?KI:ST,0,0,0,0,0,0);for(int i=0;i<60;i++){if(md&&i)g=xb(md==2?KI:ST,0,0,0,0,0,0);xs(g,at(box(.5,.5),.5+i,-.5,0),1,0,0);B[g].nh=0;}
 double y=K==1?.25:K==3?.3:.5;int b=xb(DY,(2+rnd())*L,y,0,V,0,0);if(K==0)xs(b,box(.5,.5),1,0,0);else if(K==1)xs(b,caps(.5,.25),1,0,0);else if(K==2)xs(b,circ(.5),1,0,0);else if(K==3)xs(b,rbox(.5,.3,.1),1,0,0);else {xs(b,at(reg(8,.5/cos(M_PI/8)),0,0,M_PI/8),1,0,0);}
 int n=fmin(52./V,4)*Q.hz;double hi=0,tl=0;for(int i=0;i<n;i++){step(gDT);S e=xst(b);hi=fmax(hi,e.y-y);}S e=xst(b);bump=fmax(bump,hi*1000);lost=fmax(lost,fabs(1-e.vx/V)*100);end();}
 if(c>1||bump>.5||lost>.01)printf("%s %-4s V%2.0f sub %2d %3.0fHz bump mm %9.3f lost%% %8.4f\n",md==0?"one body":md==1?"own body":"kinemat.",(char*[]){"box","caps","circ","rbox","oct"}[K],V,ss[m],Hs[m],bump,lost);}}
